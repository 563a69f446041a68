// How the layers draw: paths of footprints, pills, labels with a halo.
/** @import { Point } from "../net/types" */
/** @import { Camera } from "./camera.js" */
/** @import { Footprint } from "../geometry/shapes.js" */
import { FONT, INK } from "./palette.js";

/** @typedef {CanvasRenderingContext2D} Pen */

/** @param {Pen} pen @param {Camera} camera @param {Footprint} shape @param {number} [grow] pixels added all round round shapes */
export function tracePath(pen, camera, shape, grow = 0) {
  const [x, y] = camera.at(shape);
  if (shape.kind === "circle") pen.arc(x, y, Math.max(0.5, shape.bound * camera.scale + grow), 0, 2 * Math.PI);
  else if (shape.kind === "ellipse") {
    const turn = Math.atan2(shape.sine, shape.cosine);
    pen.ellipse(x, y, shape.across * camera.scale + grow, shape.along * camera.scale + grow, turn, 0, 2 * Math.PI);
  } else traceRing(pen, camera, grow ? grown(shape, grow / camera.scale) : shape.corners);
}

/** @param {{x: number, y: number, corners: Point[]}} shape @param {number} by */
function grown(shape, by) {
  return shape.corners.map((c) => {
    const size = Math.hypot(c.x - shape.x, c.y - shape.y) || 1;
    const share = 1 + (by * Math.SQRT2) / size;
    return { x: shape.x + (c.x - shape.x) * share, y: shape.y + (c.y - shape.y) * share };
  });
}

/** @param {Pen} pen @param {Camera} camera @param {readonly {x: number, y: number}[]} ring */
export function traceRing(pen, camera, ring) {
  ring.forEach((corner, i) => (i ? pen.lineTo(...camera.at(corner)) : pen.moveTo(...camera.at(corner))));
  pen.closePath();
}

/** @param {Pen} pen @param {Camera} camera @param {readonly {x: number, y: number}[]} way */
export function traceWay(pen, camera, way) {
  way.forEach((place, i) => (i ? pen.lineTo(...camera.at(place)) : pen.moveTo(...camera.at(place))));
}

/** Text that is read on any ground. @param {Pen} pen @param {string} text @param {number} x @param {number} y
 * @param {{size?: number, fill?: string, halo?: string, weight?: number, edge?: number}} [how] */
export function label(pen, text, x, y, { size = 11, fill = INK.dark, halo = INK.halo, weight = 600, edge = 3 } = {}) {
  pen.font = `${weight} ${size}px ${FONT}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.lineJoin = "round";
  if (halo) {
    pen.lineWidth = edge;
    pen.strokeStyle = halo;
    pen.strokeText(text, x, y);
  }
  pen.fillStyle = fill;
  pen.fillText(text, x, y);
}

/** A dark pill with one or more lines, kept inside the window. @param {Pen} pen @param {Camera} camera @param {string | string[]} text
 * @param {number} x @param {number} y @param {{fill?: string, size?: number, line?: string}} [how] */
export function pill(pen, camera, text, x, y, { fill = INK.pillText, size = 12, line = INK.pillLine } = {}) {
  const lines = [text].flat();
  pen.font = `600 ${size}px ${FONT}`;
  const wide = Math.max(...lines.map((one) => pen.measureText(one).width)) + 18;
  const high = lines.length * (size + 4) + 7;
  const left = Math.max(4, Math.min(camera.width - wide - 4, x - wide / 2));
  const top = Math.max(4, Math.min(camera.height - high - 4, y - high / 2));
  pen.beginPath();
  pen.roundRect(left, top, wide, high, Math.min(10, high / 2));
  pen.fillStyle = INK.pill;
  pen.fill();
  pen.lineWidth = 1;
  pen.strokeStyle = line;
  pen.stroke();
  pen.fillStyle = fill;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  lines.forEach((one, i) => pen.fillText(one, left + wide / 2, top + 4 + (size + 4) * (i + 0.5)));
}

/** Text in lines no longer than so many letters. @param {string} text @param {number} most @returns {string[]} */
export function wrapped(text, most) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** A bearing as the canvas counts angles. @param {number} bearing */
export const angleOf = (bearing) => ((bearing - 9_000) / 18_000) * Math.PI;
