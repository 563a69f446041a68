// Where a template can land, as warmth: many possible landings spread into a smooth picture, made once per forecast.
/** @import { Forecast } from "../../net/types" */
import { PER_INCH } from "../../geometry/units.js";

const CELL = 0.35 * PER_INCH;
const SPREAD = 3;

/** @typedef {{canvas: HTMLCanvasElement, west: number, north: number, width: number, height: number}} Heat */
/** @type {WeakMap<Forecast, Heat | null>} */
const made = new WeakMap();

/** @param {Forecast} forecast */
export function heatOf(forecast) {
  const known = made.get(forecast);
  if (known !== undefined) return known;
  const heat = spread(forecast.landings);
  made.set(forecast, heat);
  return heat;
}

/** @param {Forecast["landings"]} landings @returns {Heat | null} */
function spread(landings) {
  const [xs, ys] = [landings.map(([x]) => x), landings.map(([, y]) => y)];
  const pad = (SPREAD * 3 + 1) * CELL;
  const [west, south] = [Math.min(...xs) - pad, Math.min(...ys) - pad];
  const [wide, high] = [Math.ceil((Math.max(...xs) + pad - west) / CELL), Math.ceil((Math.max(...ys) + pad - south) / CELL)];
  if (!(wide > 0 && high > 0 && wide * high < 400_000)) return null;
  const cells = new Float32Array(wide * high);
  for (const [x, y, share] of landings) {
    const at = (high - 1 - Math.floor((y - south) / CELL)) * wide + Math.floor((x - west) / CELL);
    cells[at] = (cells[at] ?? 0) + share;
  }
  for (let pass = 0; pass < 3; pass += 1) {
    blur(cells, wide, high, 1, wide);
    blur(cells, high, wide, wide, 1);
  }
  return { canvas: painted(cells, wide, high), west, north: south + high * CELL, width: wide * CELL, height: high * CELL };
}

/** A running mean along each line; three of them are as good as a bell. @param {Float32Array} cells @param {number} count
 * @param {number} lines @param {number} step @param {number} stride */
function blur(cells, count, lines, step, stride) {
  const copy = new Float32Array(count);
  for (let line = 0; line < lines; line += 1) {
    for (let i = 0; i < count; i += 1) copy[i] = cells[line * stride + i * step] ?? 0;
    let sum = 0;
    for (let i = -SPREAD; i < count; i += 1) {
      sum += (copy[i + SPREAD] ?? 0) - (copy[i - SPREAD - 1] ?? 0);
      if (i >= 0) cells[line * stride + i * step] = sum / (2 * SPREAD + 1);
    }
  }
}

/** @param {Float32Array} cells @param {number} wide @param {number} high */
function painted(cells, wide, high) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [wide, high];
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = pen.createImageData(wide, high);
  // One spot that is certain must not make all the rest invisible.
  const most = cells.reduce((best, cell) => Math.max(best, cell), 0) || 1;
  cells.forEach((cell, i) => image.data.set(warmth(Math.sqrt(cell / most)), 4 * i));
  pen.putImageData(image, 0, 0);
  return canvas;
}

/** From nothing over yellow and orange to red. @param {number} t @returns {[number, number, number, number]} */
function warmth(t) {
  const green = t < 0.5 ? 224 - 90 * t : 179 - 2 * (t - 0.5) * 118;
  return [255, Math.max(0, green), t < 0.5 ? 90 * (1 - 2 * t) : 0, Math.min(165, 215 * t ** 1.25)];
}
