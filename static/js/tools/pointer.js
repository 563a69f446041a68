// Mouse, pen and fingers, as one: what they do to the machine, and pan and zoom with two fingers in every tool.
/** @import { Machine, Sight, Touch } from "./machine.js" */

const DOUBLE = 350;

/** @param {HTMLElement} host @param {Machine} machine @param {Sight} sight */
export function listen(host, machine, sight) {
  /** @type {Map<number, {px: number, py: number}>} */
  const fingers = new Map();
  let space = false;
  let clicks = { count: 0, at: 0, px: 0, py: 0 };
  host.style.touchAction = "none";

  /** @param {PointerEvent | WheelEvent} event @returns {{px: number, py: number}} */
  const placed = (event) => {
    const box = host.getBoundingClientRect();
    return { px: event.clientX - box.left, py: event.clientY - box.top };
  };
  /** @param {PointerEvent} event @param {number} [count] @returns {Touch} */
  const touch = (event, count = 1) => {
    const { px, py } = placed(event);
    const kind = event.pointerType === "touch" || event.pointerType === "pen" ? event.pointerType : "mouse";
    return { px, py, at: sight.point(px, py), alt: event.altKey, shift: event.shiftKey, ctrl: event.ctrlKey || event.metaKey, kind, count };
  };

  host.addEventListener("pointerdown", (event) => {
    if (event.target instanceof Element && event.target.closest("button, input, a, [data-panel]")) return;
    try { host.setPointerCapture(event.pointerId); } catch { /* the pointer is gone already */ }
    fingers.set(event.pointerId, placed(event));
    if (event.pointerType === "touch" && fingers.size > 1) return void machine.cancel();
    const pan = event.button === 1 || space || (event.button === 2 && machine.state === "idle");
    if (event.button !== 0 && !pan && machine.state === "idle") return;
    if (event.button === 1) event.preventDefault();
    machine.press(touch(event), pan);
  });

  host.addEventListener("pointermove", (event) => {
    if (fingers.size > 1 && fingers.has(event.pointerId)) return pinch(event);
    // A second button under a held first one comes as a move.
    if (event.button === 2 && event.buttons & 2) return void machine.aside(touch(event));
    machine.move(touch(event));
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, placed(event));
  });

  host.addEventListener("pointerup", (event) => {
    const alone = fingers.size === 1;
    if (!fingers.delete(event.pointerId) || !alone) return;
    const at = placed(event);
    const near = Math.hypot(at.px - clicks.px, at.py - clicks.py) < 12 && event.timeStamp - clicks.at < DOUBLE;
    clicks = { count: near ? clicks.count + 1 : 1, at: event.timeStamp, ...at };
    machine.release(touch(event, clicks.count));
  });

  for (const name of /** @type {const} */ (["pointercancel", "lostpointercapture"]))
    host.addEventListener(name, (event) => { if (fingers.delete(event.pointerId)) machine.cancel(); });
  addEventListener("blur", () => {
    fingers.clear();
    space = false;
    machine.cancel();
  });
  // A finger that is lifted leaves as well, but what it pointed at stays looked at.
  host.addEventListener("pointerleave", (event) => { if (machine.state === "idle" && event.pointerType !== "touch") machine.current().hover?.(machine.hand, null); });
  host.addEventListener("contextmenu", (event) => event.preventDefault());

  host.addEventListener("wheel", (event) => {
    event.preventDefault();
    const { px, py } = placed(event);
    const step = event.deltaMode === 1 ? event.deltaY * 18 : event.deltaY;
    sight.zoom(Math.exp(-Math.max(-120, Math.min(120, step)) * (event.ctrlKey ? 0.008 : 0.0022)), px, py);
  }, { passive: false });

  addEventListener("keydown", (event) => {
    if (event.code !== "Space" || isTyping(event)) return;
    if (event.target === document.body || event.target === host) event.preventDefault();
    space = true;
  });
  addEventListener("keyup", (event) => { if (event.code === "Space") space = false; });

  /** Two fingers move and scale the table about their middle. @param {PointerEvent} event */
  function pinch(event) {
    const before = [...fingers.values()].slice(0, 2);
    fingers.set(event.pointerId, placed(event));
    const after = [...fingers.values()].slice(0, 2);
    const [a, b] = [middle(before), middle(after)];
    if (!a || !b) return;
    sight.pan(b.px - a.px, b.py - a.py);
    if (a.apart > 0) sight.zoom(b.apart / a.apart, b.px, b.py);
  }
}

/** @param {{px: number, py: number}[]} pair */
function middle([a, b]) {
  return a && b ? { px: (a.px + b.px) / 2, py: (a.py + b.py) / 2, apart: Math.hypot(a.px - b.px, a.py - b.py) } : null;
}

/** @param {Event} event */
export const isTyping = (event) => event.target instanceof HTMLElement && (event.target.isContentEditable || event.target.matches("input, textarea, select"));
