// What moves and what is meant: selection, models in the hand with their path, rulers, marks, effects of the play-out.
/** @import { Point } from "../../net/types" */
/** @import { Drag, Held, State } from "../../state/types" */
/** @import { Camera } from "../camera.js" */
/** @import { Pen } from "../pen.js" */
/** @import { View } from "../board.js" */
import { footprint } from "../../geometry/shapes.js";
import { displaced, sayLength } from "../../geometry/units.js";
import { handleOf } from "../../state/handle.js";
import { barredFor, nameOf, shownQuestion } from "../../state/select.js";
import { INK, SIDES, TONES } from "../palette.js";
import { label, pill, tracePath, traceWay, wrapped } from "../pen.js";
import { drawModel } from "./base.js";
import { drawEffects } from "./effects.js";
import { drawRuler } from "./rulers.js";

export const name = "overlay";

/** Of a larger group one path is enough. */
const FEW = 6;

/** @param {State} state @param {View} view */
export const reads = (state, view) => [
  state.selection, state.hover, state.lit, state.sketch, state.shown?.models, state.shown?.markers, state.settings, state.standing, view.moving(), view.effects.length, state.tool, state.free,
];

/** Draws, and tells whether something still moves. @param {Pen} pen @param {Camera} camera @param {State} state @param {View} view */
export function draw(pen, camera, state, view) {
  if (!state.shown) return false;
  drawMarkers(pen, camera, state);
  drawLit(pen, camera, state, view);
  drawSelection(pen, camera, state, view);
  drawHandle(pen, camera, state);
  if (state.sketch.drag) drawDrag(pen, camera, state, state.sketch.drag);
  drawGlides(pen, camera, state, view);
  if (state.sketch.marquee) drawMarquee(pen, camera, state.sketch.marquee);
  if (state.sketch.ruler) drawRuler(pen, camera, state.sketch.ruler, state.settings.unit, INK.pale);
  if (state.sketch.line) drawLine(pen, camera, state.sketch.line, "#fff3d0");
  if (!state.sketch.drag && !state.sketch.ruler) drawTip(pen, camera, state);
  drawEffects(pen, camera, state, view);
  return view.glides.size > 0 || view.effects.length > 0;
}

/** @param {Pen} pen @param {Camera} camera @param {State} state @param {View} view */
function drawSelection(pen, camera, state, view) {
  for (const id of state.selection) {
    const model = state.shown?.models[id];
    if (!model) continue;
    pen.beginPath();
    tracePath(pen, camera, footprint(model.base, view.poseOf(model)), 3.5);
    pen.lineWidth = 2.2;
    pen.strokeStyle = "#ffe3a1";
    pen.stroke();
  }
}

/** By which the selected model is turned. @param {Pen} pen @param {Camera} camera @param {State} state */
function drawHandle(pen, camera, state) {
  const handle = handleOf(state, camera.scale);
  if (!handle) return;
  const [x, y] = camera.at(handle.at);
  pen.beginPath();
  pen.moveTo(...camera.at(displaced(handle.model.pose, handle.model.pose.facing, handle.front)));
  pen.lineTo(x, y);
  pen.lineWidth = 1.6;
  pen.strokeStyle = "rgba(255,227,161,.8)";
  pen.stroke();
  pen.beginPath();
  pen.arc(x, y, 7, 0, 2 * Math.PI);
  pen.fillStyle = "rgba(24,30,38,.9)";
  pen.fill();
  pen.lineWidth = 2;
  pen.strokeStyle = "#ffe3a1";
  pen.stroke();
  pen.beginPath();
  pen.arc(x, y, 3, -0.4, 4.2);
  pen.lineWidth = 1.4;
  pen.stroke();
}

/** What a log line or an option speaks of. @param {Pen} pen @param {Camera} camera @param {State} state @param {View} view */
function drawLit(pen, camera, state, view) {
  const { models, terrain, units } = /** @type {NonNullable<State["shown"]>} */ (state.shown);
  const lit = new Set(state.lit);
  if (!lit.size) return;
  const shapes = [
    ...Object.values(models).filter((model) => lit.has(model.id) || (lit.has(model.unit) && model.unit in units)).map((model) => footprint(model.base, view.poseOf(model))),
    ...Object.values(terrain).filter((piece) => lit.has(piece.id)).map((piece) => footprint(piece.shape, piece.pose)),
  ];
  pen.lineWidth = 5;
  pen.strokeStyle = "rgba(255,255,255,.55)";
  for (const shape of shapes) {
    pen.beginPath();
    tracePath(pen, camera, shape, 5);
    pen.stroke();
  }
}

/** @param {Drag} drag */
const toneOf = (drag) => TONES[drag.verdict];

/** @param {Pen} pen @param {Camera} camera @param {State} state @param {Drag} drag */
function drawDrag(pen, camera, state, drag) {
  const lead = /** @type {Held} */ (drag.held[0]);
  const models = /** @type {NonNullable<State["shown"]>} */ (state.shown).models;
  if (drag.state === "held") drawLimit(pen, camera, state, drag, lead);
  for (const held of drag.held) {
    const model = models[held.model];
    if (!model) continue;
    drawModel(pen, camera, model, state.meta, { pose: held.from, alpha: 0.35, ghost: true });
    if (held === lead || drag.held.length <= FEW) drawPath(pen, camera, held, drag, toneOf(drag));
  }
  for (const held of drag.held) {
    const model = models[held.model];
    if (model) drawModel(pen, camera, model, state.meta, { pose: held.pose, alpha: drag.state === "sent" ? 0.75 : 1 });
  }
  for (const id of drag.hits) drawClash(pen, camera, state, id);
  if (drag.state === "held") drawUsed(pen, camera, state, drag, lead);
}

/** How far the led model may still go. @param {Pen} pen @param {Camera} camera @param {State} state @param {Drag} drag @param {Held} lead */
function drawLimit(pen, camera, state, drag, lead) {
  if (drag.limit === null) return;
  const [x, y] = camera.at(lead.from);
  pen.beginPath();
  pen.arc(x, y, drag.limit * camera.scale, 0, 2 * Math.PI);
  pen.fillStyle = "rgba(255,243,208,.07)";
  pen.fill();
  pen.setLineDash([5, 4]);
  pen.lineWidth = 1.5;
  pen.strokeStyle = drag.verdict === "ok" ? "rgba(255,243,208,.75)" : toneOf(drag);
  pen.stroke();
  pen.setLineDash([]);
}

/** @param {Pen} pen @param {Camera} camera @param {Held} held @param {Drag} drag @param {string} tone */
function drawPath(pen, camera, held, drag, tone) {
  const first = drag.held[0];
  const [ox, oy] = first ? [held.from.x - first.from.x, held.from.y - first.from.y] : [0, 0];
  const via = drag.via.map((p) => ({ x: p.x + ox, y: p.y + oy }));
  const way = [held.from, ...via, held.pose];
  pen.lineCap = "round";
  pen.lineJoin = "round";
  for (const [width, colour] of /** @type {[number, string][]} */ ([[4, "rgba(32,26,10,.45)"], [2, tone]])) {
    pen.beginPath();
    traceWay(pen, camera, way);
    pen.lineWidth = width;
    pen.strokeStyle = colour;
    pen.stroke();
  }
  for (const bend of via) dot(pen, camera, bend, tone);
}

/** @param {Pen} pen @param {Camera} camera @param {Point} place @param {string} colour */
function dot(pen, camera, place, colour) {
  pen.beginPath();
  pen.arc(...camera.at(place), 3.2, 0, 2 * Math.PI);
  pen.fillStyle = colour;
  pen.fill();
}

/** Inches used, and what is left of the move. @param {Pen} pen @param {Camera} camera @param {State} state @param {Drag} drag @param {Held} lead */
function drawUsed(pen, camera, state, drag, lead) {
  const [x, y] = camera.at(lead.pose);
  const unit = state.settings.unit;
  const lines = [sayLength(drag.used, unit)];
  if (drag.limit !== null) {
    const left = drag.limit - drag.used;
    lines[0] += left >= 0 ? ` · ${sayLength(left, unit)} left` : ` · ${sayLength(-left, unit)} too far`;
  } else lines[0] += " · free";
  const hit = drag.hits[0];
  if (hit) lines.push(`on ${nameOf(state, hit)}`);
  pill(pen, camera, lines, x, y - 34, { fill: drag.verdict === "ok" ? INK.pillText : toneOf(drag), line: toneOf(drag) });
}

/** @param {Pen} pen @param {Camera} camera @param {State} state @param {string} id */
function drawClash(pen, camera, state, id) {
  const model = state.shown?.models[id];
  const piece = state.shown?.terrain[id];
  const shape = model ? footprint(model.base, model.pose) : piece ? footprint(piece.shape, piece.pose) : null;
  if (!shape) return;
  pen.beginPath();
  tracePath(pen, camera, shape, 2);
  pen.lineWidth = 2.5;
  pen.setLineDash([4, 3]);
  pen.strokeStyle = TONES.far;
  pen.stroke();
  pen.setLineDash([]);
}

/** @param {Pen} pen @param {Camera} camera @param {State} state @param {View} view */
function drawGlides(pen, camera, state, view) {
  for (const id of view.glides.keys()) {
    const model = state.shown?.models[id];
    if (model) drawModel(pen, camera, model, state.meta, { pose: view.poseOf(model) });
  }
}

/** @param {Pen} pen @param {Camera} camera @param {{from: Point, to: Point}} box */
function drawMarquee(pen, camera, { from, to }) {
  const [[x1, y1], [x2, y2]] = [camera.at(from), camera.at(to)];
  pen.fillStyle = "rgba(255,227,161,.12)";
  pen.strokeStyle = "#ffe3a1";
  pen.lineWidth = 1.2;
  pen.fillRect(Math.min(x1, x2), Math.min(y1, y2), Math.abs(x2 - x1), Math.abs(y2 - y1));
  pen.strokeRect(Math.min(x1, x2), Math.min(y1, y2), Math.abs(x2 - x1), Math.abs(y2 - y1));
}

/** Flags, notes, pinned rulers and drawn lines. @param {Pen} pen @param {Camera} camera @param {State} state */
function drawMarkers(pen, camera, state) {
  for (const marker of Object.values(state.shown?.markers ?? {})) {
    const colour = SIDES[marker.by].line;
    const [first] = marker.points;
    if (!first) continue;
    if (marker.kind === "ruler" || marker.kind === "line") drawLine(pen, camera, marker.points, colour);
    else drawFlag(pen, camera, first, colour);
    const last = marker.points.at(-1) ?? first;
    const [x, y] = camera.at({ x: (first.x + last.x) / 2, y: (first.y + last.y) / 2 });
    if (marker.text && marker.kind === "ruler") pill(pen, camera, marker.text, x, y, { line: colour, size: 11 });
    else if (marker.text) label(pen, marker.text, x, y + 16);
  }
}

/** @param {Pen} pen @param {Camera} camera @param {readonly Point[]} points @param {string} colour */
function drawLine(pen, camera, points, colour) {
  pen.beginPath();
  traceWay(pen, camera, points);
  pen.lineWidth = 2;
  pen.lineCap = pen.lineJoin = "round";
  pen.strokeStyle = colour;
  pen.stroke();
  for (const end of [points[0], points.at(-1)]) if (end) dot(pen, camera, end, colour);
}

/** @param {Pen} pen @param {Camera} camera @param {Point} place @param {string} colour */
function drawFlag(pen, camera, place, colour) {
  const [x, y] = camera.at(place);
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(x, y - 22);
  pen.lineTo(x + 14, y - 17);
  pen.lineTo(x, y - 12);
  pen.lineWidth = 2;
  pen.strokeStyle = INK.dark;
  pen.stroke();
  pen.fillStyle = colour;
  pen.fill();
}

/** Who is under the pointer, what it suffers, and why it may not act. @param {Pen} pen @param {Camera} camera @param {State} state */
function drawTip(pen, camera, state) {
  const model = state.hover ? state.shown?.models[state.hover] : null;
  if (!model || shownQuestion(state)?.kind === "choose") return;
  const why = barredFor(state, model.id).flatMap(({ offer, barred }) => wrapped(`${offer.label}: ${barred.why}`, 46));
  const lines = [[nameOf(state, model.id), ...suffered(state, model)].join(" · "), ...why];
  if (lines.length < 2 && !lines[0]?.includes("·")) return;
  const shape = footprint(model.base, model.pose);
  const [x, y] = camera.at(shape);
  pill(pen, camera, lines, x, y - shape.bound * camera.scale - 12 - 9 * lines.length, { size: 11 });
}

/** Its badges in words. @param {State} state @param {import("../../net/types").Model} model */
function suffered(state, model) {
  const unit = state.shown?.units[model.unit];
  const set = Object.entries({ ...unit?.status, ...model.status }).filter(([, value]) => value !== false && value !== 0);
  return set.flatMap(([key, value]) => {
    const kind = state.meta?.statuses.find((status) => status.key === key);
    if (kind?.shown !== "badge") return [];
    return [value === true ? kind.label.toLowerCase() : `${kind.label.toLowerCase()} ${value}`];
  });
}
