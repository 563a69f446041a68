// Models that rest, and the name of each unit once. Those in the hand or under way are drawn by the overlay.
/** @import { Model } from "../../net/types" */
/** @import { State } from "../../state/types" */
/** @import { Camera } from "../camera.js" */
/** @import { Pen } from "../pen.js" */
/** @import { View } from "../board.js" */
import { PER_INCH } from "../../geometry/units.js";
import { footprint } from "../../geometry/shapes.js";
import { barredBy, pickable, shownQuestion } from "../../state/select.js";
import { label } from "../pen.js";
import { drawModel } from "./base.js";

export const name = "models";
export const cached = true;

/** @param {State} state @param {View} view */
export const reads = (state, view) => [state.shown?.models, state.shown?.units, state.meta, view.moving(), shownQuestion(state), state.level];

/** @param {Pen} pen @param {Camera} camera @param {State} state @param {View} view */
export function draw(pen, camera, state, view) {
  const table = state.shown;
  if (!table) return;
  const moving = new Set(view.moving().split(" "));
  const resting = Object.values(table.models).filter((model) => !moving.has(model.id)).sort(lowFirst);
  const dimmed = dimming(state);
  for (const model of resting) drawModel(pen, camera, model, state.meta, { alpha: dimmed(model) ? 0.35 : 1 });
  if (camera.scale * PER_INCH >= 5) drawNames(pen, camera, state, resting);
}

/** @param {Model} a @param {Model} b */
const lowFirst = (a, b) => a.pose.z - b.pose.z || (a.id < b.id ? -1 : 1);

/** What cannot be picked is dimmed while somebody picks; so is what stands on another floor. @param {State} state @returns {(model: Model) => boolean} */
function dimming(state) {
  const question = shownQuestion(state);
  const [lit, barred] = [pickable(question), barredBy(question)];
  const { level } = state;
  return (model) => (barred.has(model.id) && !lit.has(model.id)) || (barred.has(model.unit) && !lit.has(model.unit)) || (level !== null && model.pose.z > level);
}

/** @param {Pen} pen @param {Camera} camera @param {State} state @param {Model[]} models */
function drawNames(pen, camera, state, models) {
  /** @type {Map<string, Model[]>} */
  const units = new Map();
  for (const model of models) units.set(model.unit, [...(units.get(model.unit) ?? []), model]);
  /** @type {[number, number, number, number][]} */
  const taken = [];
  const size = Math.max(9.5, Math.min(13, camera.scale * PER_INCH * 0.9));
  for (const [id, group] of units) drawUnitName(pen, camera, wordsFor(state, id, group), largestCluster(group), size, taken);
}

/** @param {State} state @param {string} unit @param {Model[]} group */
function wordsFor(state, unit, group) {
  const title = state.shown?.units[unit]?.label || group[0]?.label || group[0]?.profile || unit;
  const count = Object.values(state.shown?.models ?? {}).filter((model) => model.unit === unit).length;
  return count > 1 ? `${title} · ${count}` : title;
}

/** Those that stand together: a unit with a straggler is named where most of it is. @param {Model[]} group */
function largestCluster(group) {
  let left = group;
  /** @type {Model[]} */
  let best = [];
  while (left.length > best.length) {
    const cluster = clusterOf(/** @type {Model} */ (left[0]), left);
    if (cluster.length > best.length) best = cluster;
    left = left.filter((model) => !cluster.includes(model));
  }
  return best;
}

/** @param {Model} first @param {Model[]} group */
function clusterOf(first, group) {
  const cluster = [first];
  const rest = new Set(group.filter((model) => model !== first));
  for (const model of cluster)
    for (const other of rest)
      if (Math.hypot(model.pose.x - other.pose.x, model.pose.y - other.pose.y) < 3.5 * PER_INCH) {
        cluster.push(other);
        rest.delete(other);
      }
  return cluster;
}

/** Below the unit, or above where another name stands already. @param {Pen} pen @param {Camera} camera @param {string} text
 * @param {Model[]} group @param {number} size @param {[number, number, number, number][]} taken */
function drawUnitName(pen, camera, text, group, size, taken) {
  const boxes = group.map((model) => ({ at: camera.at(model.pose), r: footprint(model.base, model.pose).bound * camera.scale }));
  const x = boxes.reduce((sum, { at }) => sum + at[0], 0) / boxes.length;
  const low = Math.max(...boxes.map(({ at, r }) => at[1] + r));
  const top = Math.min(...boxes.map(({ at, r }) => at[1] - r));
  const half = text.length * size * 0.3;
  const places = [low + size * 0.85, top - size * 1.1, low + size * 2.05];
  const y = places.find((at) => !taken.some((box) => clash(box, [x - half, at - size / 2, x + half, at + size / 2]))) ?? places[0] ?? low;
  taken.push([x - half, y - size / 2, x + half, y + size / 2]);
  label(pen, text, x, y, { size });
}

/** @param {[number, number, number, number]} a @param {[number, number, number, number]} b */
const clash = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
