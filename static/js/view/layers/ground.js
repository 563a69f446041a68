// The table itself: felt, rail, terrain with its height, deployment of nothing that moves.
/** @import { Terrain } from "../../net/types" */
/** @import { State } from "../../state/types" */
/** @import { Camera } from "../camera.js" */
/** @import { Pen } from "../pen.js" */
import { PER_INCH } from "../../geometry/units.js";
import { FELT } from "../palette.js";
import { gapTo } from "../../geometry/distance.js";
import { footprint } from "../../geometry/shapes.js";
import { drawName, drawTerrain } from "./terrain.js";

export const name = "ground";
export const cached = true;

/** @param {State} state */
export const reads = (state) => [state.shown?.terrain, state.shown?.width, state.shown?.depth, state.level, state.settings.grid];

/** @param {Pen} pen @param {Camera} camera @param {State} state */
export function draw(pen, camera, state) {
  const table = state.shown;
  if (!table) return;
  drawFelt(pen, camera, table.width, table.depth);
  pen.save();
  clipToTable(pen, camera, table.width, table.depth);
  if (state.settings.grid) drawGrid(pen, camera, table.width, table.depth);
  const pieces = Object.values(table.terrain).sort(byHeight);
  for (const piece of pieces) drawTerrain(pen, camera, piece, state.level);
  for (const piece of pieces) if (piece.label || !isPart(piece, pieces)) drawName(pen, camera, piece);
  pen.restore();
}

/** Large and low things first, so that a wall on a hill is seen.
 * @param {Terrain} a @param {Terrain} b */
const byHeight = (a, b) => a.pose.z - b.pose.z || Number(b.kind === "hill") - Number(a.kind === "hill") || Number(b.soft) - Number(a.soft);

/** A wall of a ruin goes by the ruin's name. @param {Terrain} piece @param {Terrain[]} pieces */
const isPart = (piece, pieces) => pieces.some((other) => other.label && other !== piece && gapTo(footprint(other.shape, other.pose), piece.pose) < PER_INCH / 2);

/** @param {Pen} pen @param {Camera} camera @param {number} width @param {number} depth @returns {[number, number, number, number]} */
function corners(pen, camera, width, depth) {
  const [x, y] = camera.at({ x: 0, y: depth });
  return [x, y, width * camera.scale, depth * camera.scale];
}

/** @param {Pen} pen @param {Camera} camera @param {number} width @param {number} depth */
function drawFelt(pen, camera, width, depth) {
  const [x, y, w, h] = corners(pen, camera, width, depth);
  pen.fillStyle = FELT.edge;
  pen.beginPath();
  pen.roundRect(x - 8, y - 8, w + 16, h + 16, 5);
  pen.fill();
  pen.fillStyle = FELT.rail;
  pen.beginPath();
  pen.roundRect(x - 6, y - 6, w + 12, h + 12, 4);
  pen.fill();
  const light = pen.createRadialGradient(x + w / 2, y + h * 0.45, 0, x + w / 2, y + h * 0.45, Math.max(w, h) * 0.72);
  light.addColorStop(0, FELT.light);
  light.addColorStop(1, FELT.dark);
  pen.fillStyle = light;
  pen.fillRect(x, y, w, h);
}

/** @param {Pen} pen @param {Camera} camera @param {number} width @param {number} depth */
function clipToTable(pen, camera, width, depth) {
  pen.beginPath();
  pen.rect(...corners(pen, camera, width, depth));
  pen.clip();
}

/** A grid of feet helps the eye; it changes no measurement. @param {Pen} pen @param {Camera} camera @param {number} width @param {number} depth */
function drawGrid(pen, camera, width, depth) {
  pen.beginPath();
  for (let x = 12 * PER_INCH; x < width; x += 12 * PER_INCH) line(pen, camera.at({ x, y: 0 }), camera.at({ x, y: depth }));
  for (let y = 12 * PER_INCH; y < depth; y += 12 * PER_INCH) line(pen, camera.at({ x: 0, y }), camera.at({ x: width, y }));
  pen.strokeStyle = "rgba(60,52,24,.16)";
  pen.lineWidth = 1;
  pen.stroke();
}

/** @param {Pen} pen @param {[number, number]} from @param {[number, number]} to */
function line(pen, from, to) {
  pen.moveTo(...from);
  pen.lineTo(...to);
}
