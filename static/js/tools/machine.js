// A tool is a small state machine: idle, pressing, dragging, done or cancelled. Nothing happens before the threshold.
/** @import { Point } from "../net/types" */
/** @import { Store } from "../state/types" */
/** @import { Local } from "../state/local.js" */
/** @import { Intents } from "../net/intents.js" */

/** Pixels before a press becomes a drag: a hand trembles, a finger more so. */
export const THRESHOLD = { mouse: 5, pen: 7, touch: 10 };

/** What the tools know of the picture: places, and what lies there. They never draw.
 * @typedef {object} Sight
 * @property {(px: number, py: number) => Point} point
 * @property {(px: number, py: number, grasp?: number) => import("../net/types").Model | null} model
 * @property {(dx: number, dy: number) => void} pan
 * @property {(factor: number, px: number, py: number) => void} zoom
 * @property {() => void} fit
 * @property {() => void} home
 * @property {() => number} scale pixels per Length
 */
/** @typedef {{store: Store, local: Local, intents: Intents, sight: Sight, skip: () => boolean}} Hand */
/** @typedef {{px: number, py: number, at: Point, alt: boolean, shift: boolean, ctrl: boolean, kind: "mouse" | "pen" | "touch", count: number}} Touch */

/**
 * @typedef {object} Tool
 * @property {string} name
 * @property {(hand: Hand) => void} [enter]
 * @property {(hand: Hand) => void} [exit]
 * @property {(hand: Hand, touch: Touch) => boolean} [press] whether the tool wants what follows; else the table pans
 * @property {(hand: Hand, touch: Touch, from: Touch) => void} [start] the drag began at `from`
 * @property {(hand: Hand, touch: Touch, from: Touch) => void} [drag]
 * @property {(hand: Hand, touch: Touch, from: Touch) => void} [drop]
 * @property {(hand: Hand, touch: Touch) => void} [click]
 * @property {(hand: Hand, touch: Touch | null) => void} [hover]
 * @property {(hand: Hand, key: KeyboardEvent) => boolean} [key] whether the key was for the tool
 * @property {(hand: Hand) => void} [cancel]
 * @property {(hand: Hand, touch: Touch) => boolean} [aside] a press of another button while dragging
 */

export class Machine {
  /** @param {Hand} hand @param {() => Tool} tool */
  constructor(hand, tool) {
    this.hand = hand;
    this.current = tool;
    /** @type {"idle" | "pressing" | "dragging"} */
    this.state = "idle";
    /** @type {Tool | null} */
    this.tool = null;
    /** @type {Touch | null} */
    this.from = null;
    /** @type {Touch | null} */
    this.last = null;
    /** Whether this press belongs to the tool, or moves the table. */
    this.mine = false;
  }

  /** @param {Touch} touch @param {boolean} pan a press that pans in every tool */
  press(touch, pan = false) {
    if (this.state !== "idle") this.cancel();
    this.tool = this.current();
    this.state = "pressing";
    this.from = this.last = touch;
    this.mine = !pan && (this.tool.press?.(this.hand, touch) ?? true);
    this.pans = pan;
  }

  /** Another button while the first is held. @param {Touch} touch */
  aside(touch) {
    return this.state === "dragging" && this.mine && (this.tool?.aside?.(this.hand, touch) ?? false);
  }

  /** @param {Touch} touch */
  move(touch) {
    if (this.state === "idle" || !this.from || !this.last) return void this.current().hover?.(this.hand, touch);
    if (this.state === "pressing") {
      if (Math.hypot(touch.px - this.from.px, touch.py - this.from.py) < THRESHOLD[touch.kind]) return;
      this.state = "dragging";
      if (this.mine) this.tool?.start?.(this.hand, touch, this.from);
    }
    if (this.mine) this.tool?.drag?.(this.hand, touch, this.from);
    else this.hand.sight.pan(touch.px - this.last.px, touch.py - this.last.py);
    this.last = touch;
  }

  /** @param {Touch} touch */
  release(touch) {
    const { state, mine, from, tool } = this;
    this.reset();
    if (!from || state === "idle") return;
    if (state === "dragging") return void (mine && tool?.drop?.(this.hand, touch, from));
    if (!this.pans) tool?.click?.(this.hand, touch);
  }

  /** Ends what is going on without doing it. */
  cancel() {
    const { state, mine, tool } = this;
    this.reset();
    if (state === "dragging" && mine) tool?.cancel?.(this.hand);
    return state !== "idle";
  }

  reset() {
    this.state = "idle";
    this.tool = this.from = this.last = null;
    this.mine = false;
  }

  /** A tool is put away in good order. */
  swap() {
    if (this.state === "dragging" && this.mine) this.cancel();
  }
}
