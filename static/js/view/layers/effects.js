// What a shot looks like while it plays: dice that land, the arrow that turns, the template that slides, who is struck.
/** @import { State } from "../../state/types" */
/** @import { Camera } from "../camera.js" */
/** @import { Pen } from "../pen.js" */
/** @import { View } from "../board.js" */
import { footprint } from "../../geometry/shapes.js";
import { PER_INCH } from "../../geometry/units.js";
import { FONT } from "../palette.js";
import { angleOf, tracePath } from "../pen.js";
import { drawModel } from "./base.js";
import { drawTemplate } from "./templates.js";

/** @typedef {{x: number, y: number}} Spot */
/**
 * @typedef {{start: number, ms: number} & (
 *   | {kind: "dice", die: string, faces: (number | string)[], at: Spot | null}
 *   | {kind: "arrow", at: Spot, bearing: number}
 *   | {kind: "slide", template: import("../../net/types").Template, from: Spot}
 *   | {kind: "flash", ids: string[], tone: "hit" | "good" | "note"}
 *   | {kind: "fade", models: import("../../net/types").Model[]}
 * )} Effect
 */

/** @param {Pen} pen @param {Camera} camera @param {State} state @param {View} view */
export function drawEffects(pen, camera, state, view) {
  for (const effect of view.effects) {
    const t = Math.min(1, Math.max(0, (view.now - effect.start) / effect.ms));
    pen.save();
    DRAW[effect.kind](pen, camera, state, view, /** @type {any} */ (effect), t);
    pen.restore();
  }
}

/** Fast at first. @param {number} t */
const eased = (t) => 1 - (1 - t) ** 3;

const DRAW = {
  /** @param {Pen} pen @param {Camera} camera @param {State} state @param {View} view @param {Extract<Effect, {kind: "slide"}>} effect @param {number} t */
  slide(pen, camera, state, view, { template, from }, t) {
    const share = eased(t);
    const centre = { x: from.x + (template.centre.x - from.x) * share, y: from.y + (template.centre.y - from.y) * share };
    pen.setLineDash([6, 5]);
    pen.beginPath();
    pen.moveTo(...camera.at(from));
    pen.lineTo(...camera.at(centre));
    pen.lineWidth = 2;
    pen.strokeStyle = "rgba(255,201,100,.9)";
    pen.stroke();
    pen.setLineDash([]);
    pen.globalAlpha = from.x === template.centre.x && from.y === template.centre.y ? share : 1;
    drawTemplate(pen, camera, { ...template, centre });
  },
  /** @param {Pen} pen @param {Camera} camera @param {State} state @param {View} view @param {Extract<Effect, {kind: "arrow"}>} effect @param {number} t */
  arrow(pen, camera, state, view, { at, bearing }, t) {
    const [x, y] = camera.at(at);
    pen.translate(x, y);
    pen.rotate(angleOf(bearing - (1 - eased(t)) * 54_000));
    const long = Math.max(34, 3.2 * PER_INCH * camera.scale);
    pen.beginPath();
    pen.moveTo(-long * 0.35, 0);
    pen.lineTo(long, 0);
    pen.moveTo(long - 11, -7);
    pen.lineTo(long, 0);
    pen.lineTo(long - 11, 7);
    pen.lineCap = pen.lineJoin = "round";
    for (const [width, colour] of /** @type {[number, string][]} */ ([[7, "rgba(30,18,4,.75)"], [3.5, "#ffd37a"]])) {
      pen.lineWidth = width;
      pen.strokeStyle = colour;
      pen.stroke();
    }
  },
  /** @param {Pen} pen @param {Camera} camera @param {State} state @param {View} view @param {Extract<Effect, {kind: "flash"}>} effect @param {number} t */
  flash(pen, camera, state, view, { ids, tone }, t) {
    const colour = tone === "hit" ? "255,80,60" : tone === "good" ? "127,209,139" : "255,243,208";
    for (const id of ids) {
      const model = state.shown?.models[id];
      if (!model) continue;
      pen.beginPath();
      tracePath(pen, camera, footprint(model.base, view.poseOf(model)), 2 + 7 * t);
      pen.fillStyle = `rgba(${colour},${0.65 * (1 - t)})`;
      pen.fill();
      pen.lineWidth = 3;
      pen.strokeStyle = `rgba(${colour},${1 - t * 0.8})`;
      pen.stroke();
    }
  },
  /** @param {Pen} pen @param {Camera} camera @param {State} state @param {View} view @param {Extract<Effect, {kind: "fade"}>} effect @param {number} t */
  fade(pen, camera, state, view, { models }, t) {
    for (const model of models) {
      drawModel(pen, camera, model, state.meta, { alpha: 1 - t });
      const [x, y] = camera.at(model.pose);
      const r = footprint(model.base, model.pose).bound * camera.scale * 0.8;
      pen.beginPath();
      pen.moveTo(x - r, y - r);
      pen.lineTo(x + r, y + r);
      pen.moveTo(x + r, y - r);
      pen.lineTo(x - r, y + r);
      pen.lineWidth = 3;
      pen.lineCap = "round";
      pen.strokeStyle = `rgba(255,107,107,${1 - t})`;
      pen.stroke();
    }
  },
  /** @param {Pen} pen @param {Camera} camera @param {State} state @param {View} view @param {Extract<Effect, {kind: "dice"}>} effect @param {number} t */
  dice(pen, camera, state, view, { die, faces, at }, t) {
    const size = 38;
    const shown = faces.slice(0, 12);
    const wide = shown.length * (size + 8) - 8;
    const [x, y] = at ? camera.at(at) : [camera.width / 2, camera.height / 2];
    const left = Math.max(12, Math.min(camera.width - wide - 12, x - wide / 2));
    const top = Math.max(20, Math.min(camera.height - size - 20, y - size - 56));
    const landed = Math.min(1, t / 0.45);
    shown.forEach((face, i) => drawDie(pen, die, landed < 1 ? spinning(die, face, view.now, i) : face, left + i * (size + 8), top - (1 - eased(landed)) * 46, size, (1 - eased(landed)) * (i % 2 ? 3 : -3)));
  },
};

/** What shows while a die turns over. @param {string} die @param {number | string} face @param {number} now @param {number} i */
function spinning(die, face, now, i) {
  const turn = Math.floor(now / 70) + i;
  if (die === "d6") return (turn % 6) + 1;
  if (die === "bearing") return (turn * 77) % 360;
  if (die === "artillery") return [2, 4, 6, 8, 10][turn % 5] ?? 2;
  return face;
}

/** @param {Pen} pen @param {string} die @param {number | string} face @param {number} x @param {number} y @param {number} size @param {number} turn */
function drawDie(pen, die, face, x, y, size, turn) {
  pen.save();
  pen.translate(x + size / 2, y + size / 2);
  pen.rotate(turn);
  pen.shadowColor = "rgba(0,0,0,.5)";
  pen.shadowBlur = 8;
  pen.shadowOffsetY = 4;
  pen.beginPath();
  pen.roundRect(-size / 2, -size / 2, size, size, 8);
  pen.fillStyle = face === "misfire" ? "#ff6b6b" : "#f2ead6";
  pen.fill();
  pen.shadowColor = "transparent";
  pen.fillStyle = pen.strokeStyle = "#1b1710";
  drawFace(pen, die, face, size);
  pen.restore();
}

/** @type {Record<number, [number, number][]>} */
const PIPS = {
  1: [[0, 0]], 2: [[-1, -1], [1, 1]], 3: [[-1, -1], [0, 0], [1, 1]], 4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]], 6: [[-1, -1], [-1, 0], [-1, 1], [1, -1], [1, 0], [1, 1]],
};

/** @param {Pen} pen @param {string} die @param {number | string} face @param {number} size */
function drawFace(pen, die, face, size) {
  if (die === "d6") return pips(pen, PIPS[Number(face)] ?? [], size);
  if (face === "arrow" || die === "bearing") return drawArrowFace(pen, die === "bearing" ? Number(face) * 100 : 4_500, size);
  const words = face === "misfire" ? "M" : face === "hit" ? "HIT" : String(face);
  pen.font = `800 ${words.length > 2 ? size * 0.36 : size * 0.52}px ${FONT}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(words, 0, 1);
}

/** @param {Pen} pen @param {[number, number][]} places @param {number} size */
function pips(pen, places, size) {
  for (const [px, py] of places) {
    pen.beginPath();
    pen.arc(px * size * 0.25, py * size * 0.25, size * 0.085, 0, 2 * Math.PI);
    pen.fill();
  }
}

/** @param {Pen} pen @param {number} bearing @param {number} size */
function drawArrowFace(pen, bearing, size) {
  const r = size * 0.32;
  pen.rotate(angleOf(bearing));
  pen.beginPath();
  pen.moveTo(-r, 0);
  pen.lineTo(r, 0);
  pen.moveTo(r * 0.35, -r * 0.6);
  pen.lineTo(r, 0);
  pen.lineTo(r * 0.35, r * 0.6);
  pen.lineWidth = 3.4;
  pen.lineCap = pen.lineJoin = "round";
  pen.stroke();
}
