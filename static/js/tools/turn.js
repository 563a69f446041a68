// The handle before a selected model, by which it is turned.
/** @import { Point, Pose } from "../net/types" */
/** @import { State } from "../state/types" */
/** @import { Hand } from "./machine.js" */
import { bearingTo } from "../geometry/units.js";
import { handleOf } from "../state/handle.js";
import * as move from "./move.js";

/** Whether a place lies on the handle. @param {State} state @param {Point} at @param {number} scale pixels per Length */
export function onHandle(state, at, scale) {
  const handle = handleOf(state, scale);
  return Boolean(handle && Math.hypot(handle.at.x - at.x, handle.at.y - at.y) * scale <= 13);
}

/** @param {Hand} hand */
export function start(hand) {
  const [id] = hand.store.get().selection;
  return id ? move.take(hand, [id], { x: 0, y: 0 }) : false;
}

/** In whole steps of five degrees, or of one with Shift. @param {Hand} hand @param {Point} at @param {boolean} fine */
export function drag(hand, at, fine) {
  const held = hand.store.get().sketch.drag?.held[0];
  if (!held) return;
  const step = fine ? 100 : 500;
  const facing = Math.round(bearingTo(held.from, at) / step) * step;
  move.turn(hand, facing - /** @type {Pose} */ (held.pose).facing);
}
