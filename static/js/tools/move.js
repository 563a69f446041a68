// Models in the hand: where they are held, how far that is, and what they would run into. Dropping sends the move.
/** @import { Model, Point } from "../net/types" */
/** @import { Drag, Held, State } from "../state/types" */
/** @import { Hand } from "./machine.js" */
import { overlap } from "../geometry/distance.js";
import { footprint } from "../geometry/shapes.js";
import { bearingTo, turned, wayLength, whole } from "../geometry/units.js";
import { limitOf, wayToMove, whyStuck } from "../state/select.js";

/** What the hand has hold of: where it was grabbed, and how far it has turned. @typedef {{grab: Point, delta: Point, turn: number, keys: boolean}} Grip */
/** @type {Grip} */
const NONE = { grab: { x: 0, y: 0 }, delta: { x: 0, y: 0 }, turn: 0, keys: false };
let grip = NONE;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let settling;

/** Take models up. Tells whether that may be. @param {Hand} hand @param {readonly string[]} ids @param {Point} grab @param {{keys?: boolean, quiet?: boolean}} [how] */
export function take(hand, ids, grab, { keys = false, quiet = false } = {}) {
  const state = hand.store.get();
  const action = wayToMove(state, ids);
  const models = state.shown?.models ?? {};
  const first = ids[0];
  if (!action || !first) {
    const stuck = ids.find((id) => !wayToMove(state, [id])) ?? first;
    if (!quiet && stuck) hand.local.notice(whyStuck(state, stuck), "warn");
    return false;
  }
  grip = { ...NONE, grab, keys };
  const held = ids.flatMap((id) => (models[id] ? [heldFrom(state, models[id], action)] : []));
  hand.local.sketch({ drag: { held, via: [], action, used: 0, limit: least(held), verdict: "ok", hits: [], state: "held" } });
  return true;
}

/** @param {State} state @param {Model} model @param {Drag["action"]} action @returns {Held} */
const heldFrom = (state, model, action) => ({
  model: model.id, from: model.pose, pose: model.pose, used: 0, limit: action === "move" ? limitOf(state, model.id) : null,
});

/** @param {Held[]} held */
function least(held) {
  const limits = held.flatMap((one) => (one.limit === null ? [] : [one.limit]));
  return limits.length ? Math.min(...limits) : null;
}

/** Hold them where the pointer is. At the exact limit they stick, unless Alt is down. @param {Hand} hand @param {Point} at @param {boolean} beyond */
export function carry(hand, at, beyond) {
  hold(hand, { x: at.x - grip.grab.x, y: at.y - grip.grab.y }, beyond);
}

/** @param {Hand} hand @param {Point} delta @param {boolean} [beyond] */
function hold(hand, delta, beyond = false) {
  const { drag } = hand.store.get().sketch;
  if (drag?.state !== "held") return;
  grip.delta = beyond || drag.limit === null ? delta : within(delta, drag);
  show(hand, drag);
}

/** The way to `delta`, cut where the move is used up. @param {Point} delta @param {Drag} drag @returns {Point} */
function within(delta, drag) {
  const bends = bendsOf(drag);
  const last = bends.at(-1) ?? { x: 0, y: 0 };
  const left = Math.max(0, (drag.limit ?? 0) - wayLength([{ x: 0, y: 0 }, ...bends]));
  const [dx, dy] = [delta.x - last.x, delta.y - last.y];
  const far = Math.hypot(dx, dy);
  if (far <= left) return { x: Math.round(delta.x), y: Math.round(delta.y) };
  // Rounded towards the start, so that the last ten-thousandth is never too far.
  return { x: last.x + Math.trunc((dx / far) * left), y: last.y + Math.trunc((dy / far) * left) };
}

/** The bends as steps from where the first model stood. @param {Drag} drag @returns {Point[]} */
function bendsOf(drag) {
  const first = drag.held[0]?.from ?? { x: 0, y: 0 };
  return drag.via.map((bend) => ({ x: bend.x - first.x, y: bend.y - first.y }));
}

/** @param {Hand} hand @param {Drag} drag */
function show(hand, drag) {
  const state = hand.store.get();
  const held = posed(drag, state.level);
  const used = Math.max(...held.map((one) => one.used));
  const verdict = verdictOf(held);
  const next = { ...drag, held, used, verdict, hits: clashes(state, held) };
  hand.local.sketch({ drag: next });
  hand.intents.point("drag", { spots: held.map(({ model, pose }) => ({ model, x: pose.x, y: pose.y, facing: pose.facing })) });
}

/** Every model where the hand has it: carried along, and turned about the middle of the group. @param {Drag} drag @param {number | null} level @returns {Held[]} */
function posed(drag, level) {
  const middle = centreOf(drag.held);
  const bends = bendsOf(drag);
  return drag.held.map((one) => {
    const spun = grip.turn ? turned(one.from, middle, grip.turn) : one.from;
    const pose = { x: spun.x + grip.delta.x, y: spun.y + grip.delta.y, facing: whole(one.from.facing + grip.turn), z: level ?? one.from.z };
    const via = bends.map((bend) => ({ x: one.from.x + bend.x, y: one.from.y + bend.y }));
    return { ...one, pose, used: wayLength([one.from, ...via, pose]) };
  });
}

/** @param {Held[]} held @returns {Point} */
function centreOf(held) {
  const sum = held.reduce((all, { from }) => ({ x: all.x + from.x, y: all.y + from.y }), { x: 0, y: 0 });
  return { x: Math.round(sum.x / held.length), y: Math.round(sum.y / held.length) };
}

/** Amber past the move, red past double. @param {Held[]} held @returns {Drag["verdict"]} */
function verdictOf(held) {
  const over = held.some((one) => one.limit !== null && one.used > one.limit + 1);
  const far = held.some((one) => one.limit !== null && one.used > 2 * one.limit + 1);
  return far ? "far" : over ? "over" : "ok";
}

/** What the held models would stand on or in. @param {State} state @param {Held[]} held */
function clashes(state, held) {
  const table = state.shown;
  if (!table) return [];
  const own = new Set(held.map((one) => one.model));
  /** @type {Set<string>} */
  const found = new Set();
  const rest = Object.values(table.models).filter((model) => !own.has(model.id));
  const solid = Object.values(table.terrain).filter((piece) => piece.solid);
  for (const { model, pose } of held) {
    const base = table.models[model]?.base;
    if (!base) continue;
    const shape = footprint(base, pose);
    for (const other of rest) if (other.pose.z === pose.z && overlap(shape, footprint(other.base, other.pose))) found.add(other.id);
    for (const piece of solid) if (overlap(shape, footprint(piece.shape, piece.pose))) found.add(piece.id);
  }
  return [...found];
}

/** A bend in the path, where they are held now. @param {Hand} hand */
export function bend(hand) {
  const { drag } = hand.store.get().sketch;
  const first = drag?.held[0];
  if (drag?.state !== "held" || !first || drag.via.length >= 12) return;
  hand.local.sketch({ drag: { ...drag, via: [...drag.via, { x: first.pose.x, y: first.pose.y }] } });
}

/** Turn about the middle of the group. @param {Hand} hand @param {number} by */
export function turn(hand, by) {
  const { drag } = hand.store.get().sketch;
  if (drag?.state !== "held") return;
  grip.turn = whole(grip.turn + by);
  show(hand, drag);
}

/** Face a place. @param {Hand} hand @param {Point} at */
export function face(hand, at) {
  const first = hand.store.get().sketch.drag?.held[0];
  if (first) turn(hand, bearingTo(first.pose, at) - first.pose.facing);
}

/** Let go: the move is sent, and the models stay in the hand until its fact is here. @param {Hand} hand */
export async function drop(hand) {
  clearTimeout(settling);
  const { drag } = hand.store.get().sketch;
  if (drag?.state !== "held") return;
  if (drag.held.every(stays)) return cancel(hand);
  hand.local.sketch({ drag: { ...drag, state: "sent" } });
  const reply = await hand.intents.act(drag.action, "", { moves: drag.held.map((one) => moveOf(one, drag)) });
  if (!reply.ok) return letGo(hand);
  whenSeen(hand, reply.seq, () => letGo(hand));
}

/** @param {Held} one */
const stays = ({ from, pose }) => from.x === pose.x && from.y === pose.y && from.facing === pose.facing;

/** @param {Held} one @param {Drag} drag */
const moveOf = ({ model, from, pose }, drag) => ({
  model, pose, via: bendsOf(drag).map((bend) => ({ x: from.x + bend.x, y: from.y + bend.y })),
});

/** @param {Hand} hand @param {number} seq @param {() => void} then */
function whenSeen({ store }, seq, then) {
  const seen = () => store.get().animation.until >= seq || store.get().cursor !== null;
  if (seen()) return then();
  const stop = store.subscribe(() => {
    if (!seen()) return;
    stop();
    then();
  });
}

/** @param {Hand} hand */
function letGo(hand) {
  hand.local.sketch({ drag: null });
  hand.intents.point("drag", { spots: [] });
}

/** @param {Hand} hand */
export function cancel(hand) {
  clearTimeout(settling);
  if (hand.store.get().sketch.drag?.state === "held") letGo(hand);
}

const ARROWS = /** @type {Record<string, [number, number]>} */ ({ ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] });

/** Arrows carry what is selected an inch at a time (Shift: a tenth), [ and ] turn it; Enter puts it down. @param {Hand} hand @param {KeyboardEvent} event */
export function keys(hand, event) {
  const { sketch: { drag }, selection } = hand.store.get();
  const arrow = ARROWS[event.key];
  const spin = event.code === "BracketLeft" ? -1 : event.code === "BracketRight" ? 1 : 0;
  if (drag?.state === "held" && event.key === "Enter") return void drop(hand), true;
  if (drag?.state === "held" && (event.key === "w" || event.key === "W")) return bend(hand), true;
  if ((!arrow && !spin) || !selection.length || event.ctrlKey || event.metaKey) return false;
  if (!drag && !take(hand, selection, { x: 0, y: 0 }, { keys: true })) return true;
  if (arrow) nudge(hand, arrow, event.shiftKey ? 1_000 : 10_000, event.altKey);
  else turn(hand, spin * (event.shiftKey ? 100 : 1_500));
  if (grip.keys) settleTurn(hand);
  return true;
}

/** @param {Hand} hand @param {[number, number]} arrow @param {number} step @param {boolean} beyond */
function nudge(hand, [east, north], step, beyond) {
  hold(hand, { x: grip.delta.x + east * step, y: grip.delta.y + north * step }, beyond);
}

/** What was only turned is put down by itself when the keys rest. @param {Hand} hand */
function settleTurn(hand) {
  clearTimeout(settling);
  if (grip.delta.x === 0 && grip.delta.y === 0) settling = setTimeout(() => drop(hand), 650);
}

/** @param {Hand} hand */
export const holding = (hand) => hand.store.get().sketch.drag?.state === "held";
