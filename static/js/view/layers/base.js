// One model on its base: side by colour, pattern and letter; facing, wounds, what it suffers.
/** @import { Model, Pose } from "../../net/types" */
/** @import { Meta } from "../../state/types" */
/** @import { Camera } from "../camera.js" */
/** @import { Pen } from "../pen.js" */
import { footprint, halves } from "../../geometry/shapes.js";
import { PER_INCH } from "../../geometry/units.js";
import { FONT, SIDES } from "../palette.js";
import { angleOf, tracePath } from "../pen.js";

/** South is hatched, so that sides differ without their colours. @type {WeakMap<Pen, CanvasPattern>} */
const hatches = new WeakMap();

/** @param {Pen} pen @returns {CanvasPattern} */
function hatch(pen) {
  const known = hatches.get(pen);
  if (known) return known;
  const tile = document.createElement("canvas");
  tile.width = tile.height = 6;
  const ink = /** @type {Pen} */ (tile.getContext("2d"));
  ink.fillStyle = SIDES.south.fill;
  ink.fillRect(0, 0, 6, 6);
  ink.strokeStyle = "rgba(255,178,104,.55)";
  ink.lineWidth = 1.3;
  ink.beginPath();
  for (const d of [-6, 0, 6]) {
    ink.moveTo(d, 6);
    ink.lineTo(d + 6, 0);
  }
  ink.stroke();
  const made = /** @type {CanvasPattern} */ (pen.createPattern(tile, "repeat"));
  hatches.set(pen, made);
  return made;
}

/** @param {Pen} pen @param {Camera} camera @param {Model} model @param {Meta | null} meta @param {{pose?: Pose, alpha?: number, ghost?: boolean}} [how] */
export function drawModel(pen, camera, model, meta, { pose = model.pose, alpha = 1, ghost = false } = {}) {
  const shape = footprint(model.base, pose);
  const [x, y] = camera.at(shape);
  const reach = shape.bound * camera.scale + 20;
  if (x < -reach || y < -reach || x > camera.width + reach || y > camera.height + reach) return;
  const side = SIDES[model.owner];
  if (alpha !== 1) pen.globalAlpha = alpha;
  pen.beginPath();
  tracePath(pen, camera, shape);
  pen.fillStyle = ghost ? "rgba(255,255,255,.12)" : model.owner === "south" ? hatch(pen) : side.fill;
  pen.fill();
  pen.lineWidth = Math.max(1.2, Math.min(3, 0.13 * PER_INCH * camera.scale));
  pen.strokeStyle = side.line;
  pen.stroke();
  const [half, front] = halves(model.base);
  const radius = Math.min(half, front) * camera.scale;
  drawNotch(pen, x, y, front * camera.scale, radius, angleOf(pose.facing), side.line);
  if (!ghost) drawMarks(pen, model, meta, x, y, radius);
  if (alpha !== 1) pen.globalAlpha = 1;
}

/** Which way it faces: a notch over the front edge. @param {Pen} pen @param {number} x @param {number} y @param {number} front
 * @param {number} radius @param {number} angle @param {string} fill */
function drawNotch(pen, x, y, front, radius, angle, fill) {
  if (radius < 3) return;
  const size = Math.max(2.2, Math.min(8, radius * 0.42));
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const point = (/** @type {number} */ along, /** @type {number} */ across) => /** @type {[number, number]} */ ([x + cos * along - sin * across, y + sin * along + cos * across]);
  pen.beginPath();
  pen.moveTo(...point(front + size * 0.45, 0));
  pen.lineTo(...point(front - size * 0.75, size * 0.75));
  pen.lineTo(...point(front - size * 0.75, -size * 0.75));
  pen.closePath();
  pen.fillStyle = fill;
  pen.fill();
}

/** @param {Pen} pen @param {Model} model @param {Meta | null} meta @param {number} x @param {number} y @param {number} radius */
function drawMarks(pen, model, meta, x, y, radius) {
  if (radius > 7) drawLetter(pen, SIDES[model.owner].letter, x, y, radius);
  const shown = Object.entries(model.status).filter(([, value]) => value !== false && value !== null && value !== "");
  if (!shown.length) return;
  const pips = shown.find(([key, value]) => kindOf(meta, key)?.shown === "pips" && typeof value === "number");
  if (pips) drawPips(pen, Number(pips[1]), x, y, radius);
  const badges = shown.filter(([key, value]) => isBadge(meta, key) && !(typeof value === "number" && value === 0)).map(([key, value]) => badgeText(meta, key, value));
  if (badges.length) drawBadges(pen, badges, x, y, radius);
}

/** @param {Meta | null} meta @param {string} key */
const kindOf = (meta, key) => meta?.statuses.find((status) => status.key === key) ?? null;

/** @param {Meta | null} meta @param {string} key */
const isBadge = (meta, key) => (kindOf(meta, key)?.shown ?? "hidden") === "badge";

/** Initials of two words, or the beginning of one. @param {Meta | null} meta @param {string} key @param {import("../../net/types").Status} value */
function badgeText(meta, key, value) {
  const words = (kindOf(meta, key)?.label ?? key).split(/[\s_-]+/);
  const short = words.length > 1 ? words.map((word) => word[0] ?? "").join("").slice(0, 3).toUpperCase() : (words[0] ?? "").slice(0, 5).toLowerCase();
  return typeof value === "number" ? `${short} ${value}` : short;
}

/** @param {Pen} pen @param {string} letter @param {number} x @param {number} y @param {number} radius */
function drawLetter(pen, letter, x, y, radius) {
  pen.font = `700 ${Math.min(22, radius * 0.85)}px ${FONT}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillStyle = "rgba(255,246,228,.72)";
  pen.fillText(letter, x, y + 0.5);
}

/** @param {Pen} pen @param {number} count @param {number} x @param {number} y @param {number} radius */
function drawPips(pen, count, x, y, radius) {
  if (count < 1 || radius < 4) return;
  const r = Math.max(1.6, Math.min(3.4, radius * 0.2));
  const shown = Math.min(count, 6);
  const left = x - ((shown - 1) * r * 2.6) / 2;
  for (let i = 0; i < shown; i += 1) {
    pen.beginPath();
    pen.arc(left + i * r * 2.6, y + radius * 0.62, r, 0, 2 * Math.PI);
    pen.fillStyle = "#fff3d0";
    pen.fill();
    pen.lineWidth = 1;
    pen.strokeStyle = "rgba(20,12,4,.85)";
    pen.stroke();
  }
}

/** @param {Pen} pen @param {string[]} badges @param {number} x @param {number} y @param {number} radius */
function drawBadges(pen, badges, x, y, radius) {
  const size = radius < 9 ? 8 : 9.5;
  pen.font = `700 ${size}px ${FONT}`;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  badges.slice(0, 3).forEach((text, i) => {
    const wide = pen.measureText(text).width + 6;
    const [left, top] = [x + radius * 0.45, y - radius - 2 + i * (size + 4) - size / 2];
    pen.beginPath();
    pen.roundRect(left, top, wide, size + 3, 3);
    pen.fillStyle = "#f2ead6";
    pen.fill();
    pen.lineWidth = 1;
    pen.strokeStyle = "#1b1710";
    pen.stroke();
    pen.fillStyle = "#1b1710";
    pen.fillText(text, left + 3, top + size / 2 + 2);
  });
}
