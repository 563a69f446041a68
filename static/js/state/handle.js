// Where the handle stands by which the one selected model is turned.
/** @import { State } from "./types" */
import { halves } from "../geometry/shapes.js";
import { displaced } from "../geometry/units.js";
import { wayToMove } from "./select.js";

/** @param {State} state @param {number} scale pixels per Length */
export function handleOf(state, scale) {
  const [id, more] = state.selection;
  const model = id && !more ? state.shown?.models[id] : null;
  if (!model || state.sketch.drag || state.tool !== "select" || !wayToMove(state, [model.id])) return null;
  const front = halves(model.base)[1];
  return { model, at: displaced(model.pose, model.pose.facing, Math.round(front + 24 / scale)), front };
}
