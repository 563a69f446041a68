// The others' hands: ghosts of what they drag, their rulers and aims, their pointers and pings.
/** @import { Hands, State } from "../../state/types" */
/** @import { Camera } from "../camera.js" */
/** @import { Pen } from "../pen.js" */
/** @import { View } from "../board.js" */
import { apart, sayLength } from "../../geometry/units.js";
import { SIDES } from "../palette.js";
import { label, pill, traceWay } from "../pen.js";
import { drawModel } from "./base.js";
import { drawTemplate } from "./templates.js";

export const name = "presence";
const PINGED = 2_200;
/** Nobody holds a model for a minute; a page that went away let go. */
const FORGOTTEN = 30_000;

/** @param {State} state */
export const reads = (state) => [state.presence, state.role, state.shown?.models];

/** @param {Pen} pen @param {Camera} camera @param {State} state @param {View} view */
export function draw(pen, camera, state, view) {
  let moves = false;
  for (const [role, hands] of Object.entries(state.presence)) {
    const colour = role === "south" || role === "north" ? SIDES[role].line : "#ddd6c4";
    moves = drawPing(pen, camera, hands, colour, view.now) || moves;
    if (role === state.role) continue;
    moves = drawDrag(pen, camera, state, hands, view, role) || moves;
    drawPointers(pen, camera, state, hands, colour, role, view.now);
  }
  return moves;
}

/** @param {Pen} pen @param {Camera} camera @param {State} state @param {Hands} hands @param {View} view @param {string} role */
function drawDrag(pen, camera, state, hands, view, role) {
  if (!hands.drag || view.now - hands.drag.at > FORGOTTEN) return false;
  let moves = false;
  for (const spot of hands.drag.spots) {
    const model = state.shown?.models[spot.model];
    if (!model) continue;
    const [pose, moving] = view.ghosts.towards(`${role}:${spot.model}`, { ...model.pose, x: spot.x, y: spot.y, facing: spot.facing }, model.pose, view.now);
    moves ||= moving;
    if (spot === hands.drag.spots[0]) drawWay(pen, camera, model, pose);
    drawModel(pen, camera, model, state.meta, { pose, alpha: 0.6 });
  }
  const [first] = hands.drag.spots;
  const model = first ? state.shown?.models[first.model] : null;
  if (first && model) pill(pen, camera, sayLength(apart(model.pose, first), state.settings.unit), camera.at(first)[0], camera.at(first)[1] - 28, { size: 11, line: SIDES[model.owner].line });
  return moves;
}

/** @param {Pen} pen @param {Camera} camera @param {import("../../net/types").Model} model @param {{x: number, y: number}} to */
function drawWay(pen, camera, model, to) {
  pen.beginPath();
  traceWay(pen, camera, [model.pose, to]);
  pen.lineWidth = 1.6;
  pen.setLineDash([4, 4]);
  pen.strokeStyle = SIDES[model.owner].line;
  pen.stroke();
  pen.setLineDash([]);
}

/** @param {Pen} pen @param {Camera} camera @param {State} state @param {Hands} hands @param {string} colour @param {string} role @param {number} now */
function drawPointers(pen, camera, state, { cursor, ruler, aim }, colour, role, now) {
  if (ruler) drawOthersRuler(pen, camera, state, ruler.points, colour);
  if (aim) drawTemplate(pen, camera, { centre: aim, radius: aim.radius, hole: aim.hole }, { line: colour, fill: "rgba(255,255,255,.12)" });
  if (!cursor || now - cursor.at > FORGOTTEN) return;
  const [x, y] = camera.at(cursor);
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(x + 4, y + 14);
  pen.lineTo(x + 11, y + 9);
  pen.closePath();
  pen.fillStyle = colour;
  pen.fill();
  pen.lineWidth = 1;
  pen.strokeStyle = "rgba(20,14,6,.8)";
  pen.stroke();
  label(pen, state.crowd.seats[role]?.name || role, x + 22, y + 20, { size: 10 });
}

/** @param {Pen} pen @param {Camera} camera @param {State} state @param {[number, number][]} points @param {string} colour */
function drawOthersRuler(pen, camera, state, points, colour) {
  const way = points.map(([x, y]) => ({ x, y }));
  pen.beginPath();
  traceWay(pen, camera, way);
  pen.lineWidth = 2;
  pen.strokeStyle = colour;
  pen.stroke();
  const [a, b] = [way.at(-2), way.at(-1)];
  if (!a || !b) return;
  const [x, y] = camera.at({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
  pill(pen, camera, sayLength(apart(a, b), state.settings.unit), x, y - 14, { line: colour, size: 11 });
}

/** @param {Pen} pen @param {Camera} camera @param {Hands} hands @param {string} colour @param {number} now */
function drawPing(pen, camera, { ping }, colour, now) {
  const age = ping ? now - ping.at : PINGED;
  if (!ping || age >= PINGED) return false;
  const [x, y] = camera.at(ping);
  pen.strokeStyle = colour;
  pen.lineWidth = 3;
  for (const lag of [0, 0.33, 0.66]) {
    const t = (age / 900 + lag) % 1;
    pen.globalAlpha = (1 - t) * Math.min(1, (PINGED - age) / 500);
    pen.beginPath();
    pen.arc(x, y, 6 + 34 * t, 0, 2 * Math.PI);
    pen.stroke();
  }
  pen.globalAlpha = 1;
  return true;
}
