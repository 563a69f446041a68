// Templates on the table, and all that is shown while somebody aims: range band, arc, sight line, heat of landings, odds.
/** @import { Forecast, Model, Reach } from "../../net/types" */
/** @import { State } from "../../state/types" */
/** @import { Camera } from "../camera.js" */
/** @import { Pen } from "../pen.js" */
/** @import { View } from "../board.js" */
import { closest } from "../../geometry/distance.js";
import { footprint } from "../../geometry/shapes.js";
import { FULL_CIRCLE, PER_INCH, displaced, sayLength } from "../../geometry/units.js";
import { barredBy, ownQuestion, pickable, shownQuestion, shownReach } from "../../state/select.js";
import { INK, TONES } from "../palette.js";
import { angleOf, label, pill, tracePath, traceRing, wrapped } from "../pen.js";
import { heatOf } from "./heat.js";

export const name = "templates";

/** Pixels: half the least base that takes a figure. */
const SMALL = 6;

/** @param {State} state @param {View} view */
export const reads = (state, view) => [
  state.shown?.templates, state.shown?.models, state.standing, state.selection, state.hover, state.forecast, state.sketch.place,
  state.sketch.aim, state.settings.rings, state.settings.unit, state.sketch.picked, view.sliding(),
];

/** @param {Pen} pen @param {Camera} camera @param {State} state @param {View} view */
export function draw(pen, camera, state, view) {
  const table = state.shown;
  if (!table) return;
  const result = state.forecast?.result;
  if (result?.landings.length) drawHeat(pen, camera, result);
  drawRings(pen, camera, state);
  const shown = shownReach(state);
  if (shown) drawReach(pen, camera, shown.reach);
  drawRegion(pen, camera, state);
  for (const template of Object.values(table.templates))
    if (!view.sliding().includes(template.id)) drawTemplate(pen, camera, template);
  lightOptions(pen, camera, state);
  drawAiming(pen, camera, state);
  if (result) drawOdds(pen, camera, state, result);
}

/** @param {Pen} pen @param {Camera} camera @param {{centre: {x: number, y: number}, radius: number, hole: number}} disc
 * @param {{line?: string, fill?: string}} [how] */
export function drawTemplate(pen, camera, { centre, radius, hole }, { line = TONES.aim, fill = "rgba(255,176,46,.3)" } = {}) {
  const [x, y] = camera.at(centre);
  pen.beginPath();
  pen.arc(x, y, radius * camera.scale, 0, 2 * Math.PI);
  pen.fillStyle = fill;
  pen.fill();
  pen.lineWidth = 2;
  pen.strokeStyle = line;
  pen.stroke();
  pen.beginPath();
  pen.arc(x, y, Math.max(2.5, hole * camera.scale), 0, 2 * Math.PI);
  pen.fillStyle = "#fff";
  pen.fill();
  pen.lineWidth = 1.2;
  pen.strokeStyle = "#7a4a00";
  pen.stroke();
}

/** What lands beside the table warms nothing. @param {Pen} pen @param {Camera} camera @param {Forecast} result */
function drawHeat(pen, camera, result) {
  const heat = heatOf(result);
  if (!heat) return;
  const [x, y] = camera.at({ x: heat.west, y: heat.north });
  pen.save();
  pen.beginPath();
  pen.rect(...camera.at({ x: 0, y: camera.board.depth }), camera.board.width * camera.scale, camera.board.depth * camera.scale);
  pen.clip();
  pen.imageSmoothingEnabled = true;
  pen.drawImage(heat.canvas, x, y, heat.width * camera.scale, heat.height * camera.scale);
  pen.restore();
}

/** A band with a hole: from the least to the most range, within the arc. @param {Pen} pen @param {Camera} camera @param {Reach} reach */
export function drawReach(pen, camera, { origin, least, most, facing, arc }) {
  const full = arc <= 0 || arc >= FULL_CIRCLE;
  const [from, to] = full ? [0, 2 * Math.PI] : [angleOf(facing - arc / 2), angleOf(facing + arc / 2)];
  const [x, y] = camera.at(origin);
  shadeBand(pen, x, y, least * camera.scale, most * camera.scale, from, to);
  pen.setLineDash([7, 5]);
  pen.lineWidth = 1.6;
  pen.strokeStyle = "rgba(255,227,161,.85)";
  for (const range of [least, most]) {
    if (range <= 0) continue;
    pen.beginPath();
    pen.arc(x, y, range * camera.scale, from, to);
    pen.stroke();
  }
  pen.setLineDash([]);
  if (!full) drawArcEdges(pen, camera, { origin, least, most, facing, arc });
  for (const range of [least, most]) if (range > 0) bandLabel(pen, camera, origin, facing, range);
}

/** @param {Pen} pen @param {number} x @param {number} y @param {number} least @param {number} most @param {number} from @param {number} to */
function shadeBand(pen, x, y, least, most, from, to) {
  pen.beginPath();
  pen.arc(x, y, most, from, to);
  pen.arc(x, y, Math.max(0, least), to, from, true);
  pen.closePath();
  pen.fillStyle = "rgba(255,236,180,.07)";
  pen.fill();
}

/** @param {Pen} pen @param {Camera} camera @param {Reach} reach */
function drawArcEdges(pen, camera, { origin, least, most, facing, arc }) {
  pen.beginPath();
  for (const side of [-1, 1]) {
    const bearing = facing + (side * arc) / 2;
    pen.moveTo(...camera.at(displaced(origin, bearing, least)));
    pen.lineTo(...camera.at(displaced(origin, bearing, most)));
  }
  pen.lineWidth = 1.2;
  pen.strokeStyle = "rgba(255,227,161,.45)";
  pen.stroke();
}

/** @param {Pen} pen @param {Camera} camera @param {{x: number, y: number}} origin @param {number} facing @param {number} range */
function bandLabel(pen, camera, origin, facing, range) {
  const [x, y] = camera.at(displaced(origin, facing, range));
  if (x < 0 || y < 0 || x > camera.width || y > camera.height) return;
  label(pen, `${+(range / PER_INCH).toFixed(2)}"`, x, y - 8, { size: 11.5, fill: "#ffefc9", halo: "rgba(60,48,14,.75)" });
}

/** @param {Pen} pen @param {Camera} camera @param {State} state */
function drawRings(pen, camera, state) {
  for (const id of state.selection) {
    const model = state.shown?.models[id];
    if (!model || !state.settings.rings.length) continue;
    for (const ring of state.settings.rings) drawRing(pen, camera, model, ring);
  }
}

/** A ring at a distance from the edge of a base. @param {Pen} pen @param {Camera} camera @param {Model} model @param {number} distance */
function drawRing(pen, camera, model, distance) {
  pen.beginPath();
  tracePath(pen, camera, footprint(model.base, model.pose), distance * camera.scale);
  pen.lineWidth = 1.2;
  pen.strokeStyle = "rgba(255,243,208,.55)";
  pen.stroke();
}

/** Where a point may be placed. @param {Pen} pen @param {Camera} camera @param {State} state */
function drawRegion(pen, camera, state) {
  const question = ownQuestion(state)?.question;
  if (question?.kind !== "place" || !question.region.outline.length) return;
  pen.beginPath();
  traceRing(pen, camera, question.region.outline);
  pen.fillStyle = "rgba(127,209,139,.07)";
  pen.fill();
  pen.setLineDash([5, 4]);
  pen.lineWidth = 1.6;
  pen.strokeStyle = "rgba(127,209,139,.8)";
  pen.stroke();
  pen.setLineDash([]);
}

/** What can be picked now glows; what is picked is marked. @param {Pen} pen @param {Camera} camera @param {State} state */
function lightOptions(pen, camera, state) {
  const question = shownQuestion(state);
  const own = ownQuestion(state)?.question === question;
  const lit = pickable(question);
  const picked = new Set(state.sketch.picked);
  for (const model of Object.values(state.shown?.models ?? {})) {
    const option = lit.get(model.id) ?? lit.get(model.unit);
    if (!option) continue;
    const hot = state.hover === model.id || picked.has(option.id);
    outline(pen, camera, model, hot ? 3 : 1.3, hot ? "#fff3d0" : own ? "rgba(255,214,120,.95)" : "rgba(255,214,120,.55)");
  }
}

/** @param {Pen} pen @param {Camera} camera @param {Model} model @param {number} width @param {string} colour */
function outline(pen, camera, model, width, colour) {
  pen.beginPath();
  tracePath(pen, camera, footprint(model.base, model.pose), width > 2 ? 2 : 1);
  pen.lineWidth = width;
  pen.strokeStyle = colour;
  pen.stroke();
}

/** The line to what is under the pointer, and what can be said of it. @param {Pen} pen @param {Camera} camera @param {State} state */
function drawAiming(pen, camera, state) {
  if (state.sketch.place) return drawPlace(pen, camera, state);
  if (state.sketch.aim) return drawAim(pen, camera, state);
  const question = shownQuestion(state);
  if (question?.kind === "confirm" && question.shows) return drawTemplate(pen, camera, question.shows);
  const hovered = state.hover ? state.shown?.models[state.hover] : null;
  if (question?.kind !== "choose" || !hovered) return;
  const by = shownReach(state)?.by;
  const option = pickable(question).get(hovered.id) ?? pickable(question).get(hovered.unit);
  const barred = barredBy(question).get(hovered.id) ?? barredBy(question).get(hovered.unit);
  if (!option && !barred) return;
  if (question.preview && option) drawTemplate(pen, camera, { centre: hovered.pose, ...question.preview });
  const gap = by && by.id !== hovered.id ? closest(footprint(by.base, by.pose), footprint(hovered.base, hovered.pose)) : null;
  if (gap) sightLine(pen, camera, gap.from, gap.to, barred && !option ? "rgba(255,107,107,.9)" : INK.pale);
  // How a range is counted is the rule's; the ruler's figure stands only where the rule says nothing.
  const words = (option ? option.note : barred?.why) || (gap ? sayLength(Math.round(gap.length), state.settings.unit) : "");
  const at = gap ? camera.at({ x: (gap.from.x + gap.to.x) / 2, y: (gap.from.y + gap.to.y) / 2 }) : camera.at(hovered.pose);
  if (words) pill(pen, camera, wrapped(words, 44), at[0], at[1] - (gap ? 0 : 34), { fill: option ? INK.pillText : "#ffb1a8" });
}

/** With a dot at each end, where it is measured. @param {Pen} pen @param {Camera} camera @param {{x: number, y: number}} from @param {{x: number, y: number}} to @param {string} colour */
export function sightLine(pen, camera, from, to, colour) {
  pen.beginPath();
  pen.moveTo(...camera.at(from));
  pen.lineTo(...camera.at(to));
  pen.lineWidth = 1.6;
  pen.strokeStyle = colour;
  pen.stroke();
  for (const end of [from, to]) {
    pen.beginPath();
    pen.arc(...camera.at(end), 2.8, 0, 2 * Math.PI);
    pen.fillStyle = colour;
    pen.fill();
  }
}

/** @param {Pen} pen @param {Camera} camera @param {State} state */
function drawPlace(pen, camera, state) {
  const { place } = state.sketch;
  const question = ownQuestion(state)?.question;
  if (!place || question?.kind !== "place") return;
  const tone = place.lawful ? {} : { line: TONES.far, fill: "rgba(255,107,107,.2)" };
  const origin = question.reach?.origin;
  if (origin) sightLine(pen, camera, origin, place.at, place.lawful ? INK.pale : TONES.far);
  drawTemplate(pen, camera, { centre: place.at, radius: place.shape?.radius ?? 0.25 * PER_INCH, hole: place.shape?.hole ?? 0 }, tone);
  const away = origin ? sayLength(Math.round(Math.hypot(origin.x - place.at.x, origin.y - place.at.y)), state.settings.unit) : "";
  const words = [away, place.lawful ? "" : place.why].filter(Boolean).join(" · ");
  const [x, y] = camera.at(place.at);
  if (words) pill(pen, camera, words, x, y - (place.shape?.radius ?? 0) * camera.scale - 20, place.lawful ? {} : { fill: "#ffb1a8" });
}

/** @param {Pen} pen @param {Camera} camera @param {State} state */
function drawAim(pen, camera, state) {
  const question = ownQuestion(state)?.question;
  const { aim } = state.sketch;
  if (!aim || question?.kind !== "aim") return;
  const { origin, arc, length } = question;
  drawReach(pen, camera, { origin, least: 0, most: length, facing: origin.facing, arc });
  const end = displaced(origin, aim.bearing, length);
  sightLine(pen, camera, origin, end, aim.lawful ? INK.pale : TONES.far);
  const [x, y] = camera.at(displaced(origin, aim.bearing, length / 2));
  pill(pen, camera, `${(aim.bearing / 100).toFixed(0)}°`, x, y, aim.lawful ? {} : { fill: "#ffb1a8" });
}

/** The chance of each model to be hit, on its base. @param {Pen} pen @param {Camera} camera @param {State} state @param {Forecast} result */
function drawOdds(pen, camera, state, result) {
  for (const [id, chance] of readable(camera, state, result)) {
    const model = state.shown?.models[id];
    if (!model || chance < 50) continue;
    const radius = footprint(model.base, model.pose).bound * camera.scale;
    const [x, y] = camera.at(model.pose);
    label(pen, String(Math.round(chance / 100)), x, y, { size: Math.max(radius < SMALL ? 11 : 8, Math.min(15, radius * 0.85)), fill: "#fff", halo: "rgba(20,12,4,.7)", weight: 700, edge: radius < 11 ? 2 : 3 });
  }
}

/** Where bases are too small for a figure each, the likeliest of each unit has one. @param {Camera} camera @param {State} state @param {Forecast} result */
function readable(camera, state, result) {
  const hits = Object.entries(result.hits);
  const isSmall = (/** @type {Model} */ model) => footprint(model.base, model.pose).bound * camera.scale < SMALL;
  /** @type {Map<string, [string, number]>} */
  const best = new Map();
  for (const [id, chance] of hits) {
    const model = state.shown?.models[id];
    if (!model) continue;
    const key = isSmall(model) ? model.unit : id;
    if (chance > (best.get(key)?.[1] ?? 0)) best.set(key, [id, chance]);
  }
  return best.values();
}
