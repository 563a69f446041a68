// One piece of terrain: what it is by its drawing, how high by its contours and its label.
/** @import { Point, Terrain } from "../../net/types" */
/** @import { Camera } from "../camera.js" */
/** @import { Pen } from "../pen.js" */
/** @import { Footprint } from "../../geometry/shapes.js" */
import { footprint, hasInside } from "../../geometry/shapes.js";
import { gapTo } from "../../geometry/distance.js";
import { PER_INCH } from "../../geometry/units.js";
import { INK } from "../palette.js";
import { label, tracePath, traceRing } from "../pen.js";

/** @typedef {(pen: Pen, camera: Camera, piece: Terrain, shape: Footprint) => void} Draw */

/** @type {Record<string, Draw>} */
const KINDS = {
  hill: drawHill, wood: drawWood, forest: drawWood, wall: drawWall, hedge: drawHedge, fence: drawWall, barricade: drawWall,
  ruin: drawRuin, house: drawHouse, building: drawHouse, tower: drawHouse, gate: drawGate, river: drawWater, water: drawWater,
  marsh: drawMarsh, crater: drawCrater,
};

/** @param {Pen} pen @param {Camera} camera @param {Terrain} piece @param {number | null} level */
export function drawTerrain(pen, camera, piece, level) {
  const shape = footprint(piece.shape, piece.pose);
  const high = piece.pose.z > 0 && level !== null && piece.pose.z > level;
  pen.save();
  if (high) pen.globalAlpha = 0.25;
  (KINDS[piece.kind] ?? drawOther)(pen, camera, piece, shape);
  if (level !== null && piece.floors.includes(level)) markLevel(pen, camera, shape);
  pen.restore();
}

/** @param {Terrain} piece */
const topOf = (piece) => piece.pose.z + piece.shape.height;

/** @param {Terrain} piece */
function wordsFor(piece) {
  const inches = (/** @type {number} */ length) => `${+(length / PER_INCH).toFixed(1)}"`;
  const title = piece.label || piece.kind.replaceAll("_", " ");
  if (piece.floors.length > 1) return `${title} · floors ${piece.floors.map(inches).join(" ")}`;
  if (piece.soft) return `${title}, soft`;
  return topOf(piece) > 0 ? `${title} ${inches(topOf(piece))}` : title;
}

/** @param {Pen} pen @param {Camera} camera @param {Terrain} piece */
export function drawName(pen, camera, piece) {
  const shape = footprint(piece.shape, piece.pose);
  if (camera.scale * PER_INCH < 6) return;
  const [x, y] = camera.at(shape);
  const top = extent(shape);
  const size = Math.max(9, Math.min(12, camera.scale * PER_INCH));
  const inside = piece.kind === "hill" || piece.kind === "river" || piece.kind === "water";
  const at = inside ? y - top * camera.scale + size + 5 : y - top * camera.scale - size * 0.75;
  label(pen, wordsFor(piece), x, at, { size, fill: INK.soft, halo: "rgba(201,189,143,.45)", weight: 500 });
}

/** How far a shape goes to the north of its middle. @param {Footprint} shape */
function extent(shape) {
  if (shape.kind === "circle") return shape.bound;
  if (shape.kind === "ellipse") return Math.hypot(shape.sine * shape.across, shape.cosine * shape.along);
  return Math.max(...shape.corners.map((corner) => corner.y - shape.y));
}

/** The shape shrunk about its middle. @param {Footprint} shape @param {number} share @returns {Footprint} */
export function shrunk(shape, share) {
  if (shape.kind === "circle") return { ...shape, bound: shape.bound * share };
  if (shape.kind === "ellipse") return { ...shape, across: shape.across * share, along: shape.along * share, bound: shape.bound * share };
  const corners = shape.corners.map((c) => ({ x: shape.x + (c.x - shape.x) * share, y: shape.y + (c.y - shape.y) * share }));
  return { ...shape, bound: shape.bound * share, corners };
}

/** @param {Pen} pen @param {Camera} camera @param {Footprint} shape @param {string | CanvasPattern} fill @param {string} [line] @param {number} [width] */
function fillShape(pen, camera, shape, fill, line, width = 1.5) {
  pen.beginPath();
  tracePath(pen, camera, shape);
  pen.fillStyle = fill;
  pen.fill();
  if (!line) return;
  pen.strokeStyle = line;
  pen.lineWidth = width;
  pen.stroke();
}

/** One contour for each inch, so that height shows before the label is read. @type {Draw} */
function drawHill(pen, camera, piece, shape) {
  const steps = Math.max(1, Math.min(5, Math.round(topOf(piece) / PER_INCH)));
  softShadow(pen, camera, shape, 6);
  for (let i = 0; i < steps; i += 1) {
    const part = shrunk(shape, 1 - (i * 0.62) / Math.max(1, steps));
    fillShape(pen, camera, part, i ? "rgba(190,178,120,.35)" : "#a99f6a", i ? "rgba(122,112,66,.75)" : "#857b49", i ? 1.1 : 1.6);
  }
}

/** @param {Pen} pen @param {Camera} camera @param {Footprint} shape @param {number} blur */
function softShadow(pen, camera, shape, blur) {
  pen.save();
  pen.shadowColor = "rgba(40,32,10,.35)";
  pen.shadowBlur = blur;
  pen.shadowOffsetY = blur / 3;
  fillShape(pen, camera, shape, "rgba(0,0,0,.25)");
  pen.restore();
}

/** Trees stand where they stand, whoever looks: they follow from the id. @type {Draw} */
function drawWood(pen, camera, piece, shape) {
  fillShape(pen, camera, shape, "rgba(77,106,67,.5)");
  pen.setLineDash([6, 5]);
  pen.lineWidth = 1.6;
  pen.strokeStyle = "#38512f";
  pen.beginPath();
  tracePath(pen, camera, shape);
  pen.stroke();
  pen.setLineDash([]);
  for (const { x, y, r } of trees(piece, shape)) {
    const [px, py] = camera.at({ x, y });
    disc(pen, px + 1.5, py + 2, r * camera.scale, "rgba(20,30,14,.28)");
    disc(pen, px, py, r * camera.scale, "rgba(58,88,50,.92)");
    disc(pen, px - r * camera.scale * 0.25, py - r * camera.scale * 0.3, r * camera.scale * 0.5, "rgba(92,124,74,.55)");
  }
}

/** @param {Pen} pen @param {number} x @param {number} y @param {number} r @param {string} fill */
function disc(pen, x, y, r, fill) {
  pen.beginPath();
  pen.arc(x, y, Math.max(0.5, r), 0, 2 * Math.PI);
  pen.fillStyle = fill;
  pen.fill();
}

/** @param {Terrain} piece @param {Footprint} shape */
function trees(piece, shape) {
  const next = drawn(piece.id);
  const many = Math.min(60, Math.max(6, Math.round((shape.bound / PER_INCH) ** 2 * 1.1)));
  const found = [];
  for (let i = 0; i < many * 3 && found.length < many; i += 1) {
    const place = { x: shape.x + (next() * 2 - 1) * shape.bound, y: shape.y + (next() * 2 - 1) * shape.bound };
    if (isInside(shrunk(shape, 0.9), place)) found.push({ ...place, r: (0.35 + next() * 0.4) * PER_INCH });
  }
  return found;
}

/** @param {Footprint} shape @param {Point} place */
const isInside = (shape, place) => (shape.kind === "cornered" ? hasInside(shape.corners, place) : gapTo(shape, place) === 0);

/** Numbers between 0 and 1 that follow from a text. @param {string} text */
function drawn(text) {
  let seed = 2166136261;
  for (let i = 0; i < text.length; i += 1) seed = Math.imul(seed ^ text.charCodeAt(i), 16777619);
  return () => {
    seed = Math.imul(seed ^ (seed >>> 15), 2246822507) + 0x9e3779b9;
    return ((seed ^ (seed >>> 13)) >>> 0) / 2 ** 32;
  };
}

/** @type {Draw} */
function drawWall(pen, camera, piece, shape) {
  softShadow(pen, camera, shape, 5);
  fillShape(pen, camera, shape, "#6d665b", "#3d3831", 1.2);
  courses(pen, camera, piece, shape);
}

/** Joints across a wall. @type {Draw} */
function courses(pen, camera, piece, shape) {
  if (shape.kind !== "cornered" || shape.corners.length !== 4) return;
  const [a, b, c, d] = /** @type {[Point, Point, Point, Point]} */ (shape.corners);
  const [wide, deep] = [Math.hypot(b.x - a.x, b.y - a.y), Math.hypot(c.x - b.x, c.y - b.y)];
  const [p, q, r, s] = wide >= deep ? [a, b, d, c] : [b, c, a, d];
  const count = Math.floor(Math.max(wide, deep) / (1.1 * PER_INCH));
  pen.beginPath();
  for (let i = 1; i < count; i += 1) {
    const t = i / count;
    pen.moveTo(...camera.at({ x: p.x + (q.x - p.x) * t, y: p.y + (q.y - p.y) * t }));
    pen.lineTo(...camera.at({ x: r.x + (s.x - r.x) * t, y: r.y + (s.y - r.y) * t }));
  }
  pen.strokeStyle = "rgba(30,26,20,.45)";
  pen.lineWidth = 1;
  pen.stroke();
}

/** @type {Draw} */
function drawHedge(pen, camera, piece, shape) {
  softShadow(pen, camera, shape, 4);
  fillShape(pen, camera, shape, "#566f45", "#33472a", 1.5);
}

/** Broken walls about an open floor: heavy at the corners, gone in the middle of the sides. @type {Draw} */
function drawRuin(pen, camera, piece, shape) {
  fillShape(pen, camera, shape, "rgba(138,131,119,.5)");
  flagstones(pen, camera, shape);
  if (shape.kind !== "cornered") return fillShape(pen, camera, shape, "rgba(0,0,0,0)", "#5b554b", 5);
  const next = drawn(piece.id);
  pen.lineCap = "butt";
  pen.lineJoin = "miter";
  pen.lineWidth = Math.max(3, 0.45 * PER_INCH * camera.scale);
  pen.strokeStyle = "#5b554b";
  pen.beginPath();
  const ring = shrunk(shape, 0.97);
  const corners = ring.kind === "cornered" ? ring.corners : [];
  corners.forEach((corner, i) => {
    const [before, after] = [at(corners, i - 1), at(corners, i + 1)];
    pen.moveTo(...camera.at(between(corner, before, 0.28 + next() * 0.2)));
    pen.lineTo(...camera.at(corner));
    pen.lineTo(...camera.at(between(corner, after, 0.28 + next() * 0.2)));
  });
  pen.stroke();
}

/** @param {Point[]} ring @param {number} i @returns {Point} */
const at = (ring, i) => /** @type {Point} */ (ring[(i + ring.length) % ring.length]);

/** @param {Point} a @param {Point} b @param {number} t */
const between = (a, b, t) => ({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t });

/** @param {Pen} pen @param {Camera} camera @param {Footprint} shape */
function flagstones(pen, camera, shape) {
  pen.save();
  pen.beginPath();
  tracePath(pen, camera, shape);
  pen.clip();
  pen.beginPath();
  const [x, y] = camera.at(shape);
  const [step, reach] = [1.2 * PER_INCH * camera.scale, shape.bound * camera.scale];
  for (let i = -reach; step > 5 && i < reach; i += step) {
    pen.moveTo(x + i, y - reach);
    pen.lineTo(x + i, y + reach);
    pen.moveTo(x - reach, y + i);
    pen.lineTo(x + reach, y + i);
  }
  pen.strokeStyle = "rgba(60,54,44,.2)";
  pen.lineWidth = 1;
  pen.stroke();
  pen.restore();
}

/** A roof with its ridge along the longer side. @type {Draw} */
function drawHouse(pen, camera, piece, shape) {
  softShadow(pen, camera, shape, 9);
  fillShape(pen, camera, shape, "#8a5a44", "#3f2a20", 2);
  if (shape.kind !== "cornered" || shape.corners.length !== 4) return;
  const [a, b, c, d] = /** @type {[Point, Point, Point, Point]} */ (shape.corners);
  const wide = Math.hypot(b.x - a.x, b.y - a.y) >= Math.hypot(c.x - b.x, c.y - b.y);
  const [p, q, r, s] = wide ? [a, d, b, c] : [a, b, d, c];
  const [left, right] = [between(p, q, 0.5), between(r, s, 0.5)];
  const [from, to] = [between(left, right, 0.18), between(left, right, 0.82)];
  pen.beginPath();
  traceRing(pen, camera, [p, r, to, from]);
  pen.fillStyle = "rgba(255,220,180,.12)";
  pen.fill();
  pen.beginPath();
  for (const [u, v] of /** @type {[Point, Point][]} */ ([[p, from], [q, from], [r, to], [s, to], [from, to]])) {
    pen.moveTo(...camera.at(u));
    pen.lineTo(...camera.at(v));
  }
  pen.strokeStyle = "rgba(50,30,20,.8)";
  pen.lineWidth = 1.5;
  pen.stroke();
}

/** @type {Draw} */
function drawGate(pen, camera, piece, shape) {
  softShadow(pen, camera, shape, 5);
  fillShape(pen, camera, shape, "#7d5a34", "#2f2115", 2);
  courses(pen, camera, piece, shape);
  const [x, y] = camera.at(shape);
  disc(pen, x, y, 0.25 * PER_INCH * camera.scale, "#2f2115");
}

/** @type {Draw} */
function drawWater(pen, camera, piece, shape) {
  fillShape(pen, camera, shape, "#6f97a6", "#4d7483", 2);
  pen.save();
  pen.beginPath();
  tracePath(pen, camera, shape);
  pen.clip();
  const next = drawn(piece.id);
  pen.beginPath();
  for (let i = 0; i < 26; i += 1) ripple(pen, camera, shape, next);
  pen.strokeStyle = "rgba(225,240,244,.4)";
  pen.lineWidth = 1.2;
  pen.stroke();
  pen.restore();
}

/** @param {Pen} pen @param {Camera} camera @param {Footprint} shape @param {() => number} next */
function ripple(pen, camera, shape, next) {
  const place = { x: shape.x + (next() * 2 - 1) * shape.bound, y: shape.y + (next() * 2 - 1) * shape.bound };
  const [x, y] = camera.at(place);
  const long = 0.5 * PER_INCH * camera.scale;
  pen.moveTo(x - long, y);
  pen.quadraticCurveTo(x - long / 2, y - long / 3, x, y);
  pen.quadraticCurveTo(x + long / 2, y + long / 3, x + long, y);
}

/** @type {Draw} */
function drawMarsh(pen, camera, piece, shape) {
  fillShape(pen, camera, shape, "rgba(104,118,84,.6)", "#5c6847", 1.2);
}

/** @type {Draw} */
function drawCrater(pen, camera, piece, shape) {
  fillShape(pen, camera, shape, "#8d8055", "#6d6140", 2);
  fillShape(pen, camera, shrunk(shape, 0.72), "#766a45", "rgba(60,50,26,.6)");
  fillShape(pen, camera, shrunk(shape, 0.4), "#62573a");
}

/** @type {Draw} */
function drawOther(pen, camera, piece, shape) {
  fillShape(pen, camera, shape, piece.solid ? "#7c7466" : "rgba(150,140,100,.6)", "#4c4637", 1.5);
}

/** @param {Pen} pen @param {Camera} camera @param {Footprint} shape */
function markLevel(pen, camera, shape) {
  pen.beginPath();
  tracePath(pen, camera, shape, 3);
  pen.strokeStyle = "rgba(230,180,80,.9)";
  pen.lineWidth = 2;
  pen.setLineDash([4, 3]);
  pen.stroke();
  pen.setLineDash([]);
}

