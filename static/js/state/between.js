// The models that stand in a box.
/** @import { Model, Point, Table } from "../net/types" */

/** @param {Table} table @param {Point} a @param {Point} b @returns {Model[]} */
export function modelsBetween(table, a, b) {
  const [west, east, south, north] = [Math.min(a.x, b.x), Math.max(a.x, b.x), Math.min(a.y, b.y), Math.max(a.y, b.y)];
  return Object.values(table.models).filter(({ pose: { x, y } }) => x >= west && x <= east && y >= south && y <= north);
}
