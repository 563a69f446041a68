// What lies under the pointer. A small base is as easy to grab as a finger is wide.
/** @import { Model, Point, Table, Terrain } from "../net/types" */
/** @import { Camera } from "./camera.js" */
import { gapTo } from "../geometry/distance.js";
import { footprint } from "../geometry/shapes.js";

/** Half of the least target, in pixels. */
const GRASP = 12;

/** The model under a pixel: one whose base holds it, else the nearest within grasp.
 * @param {Table} table @param {Camera} camera @param {number} px @param {number} py @param {number} [grasp] @returns {Model | null} */
export function modelAt(table, camera, px, py, grasp = GRASP) {
  const place = camera.point(px, py);
  const grip = grasp / camera.scale;
  /** @type {Model | null} */
  let best = null;
  let nearest = Infinity;
  for (const model of Object.values(table.models)) {
    const away = Math.hypot(model.pose.x - place.x, model.pose.y - place.y);
    const shape = footprint(model.base, model.pose);
    if (away > Math.max(shape.bound, grip)) continue;
    const held = gapTo(shape, place) === 0;
    if (!held && away > grip) continue;
    // A base that holds the point is meant before one that is merely near.
    const rank = held ? away - 1e9 : away;
    if (rank < nearest) [best, nearest] = [model, rank];
  }
  return best;
}

/** @param {Table} table @param {Point} place @returns {Terrain | null} */
export function terrainAt(table, place) {
  const over = Object.values(table.terrain).filter((piece) => gapTo(footprint(piece.shape, piece.pose), place) === 0);
  return over.at(-1) ?? null;
}
