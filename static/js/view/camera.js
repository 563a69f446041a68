// Where the window looks at the table: the middle in Lengths, and pixels per Length. North is up.
/** @import { Point, Table } from "../net/types" */
import { PER_INCH } from "../geometry/units.js";

/** Pixels per inch: never smaller than the whole table needs, never larger than a base that fills the hand. */
const CLOSEST = 160 / PER_INCH;

/** @typedef {{x: number, y: number, scale: number, width: number, height: number}} Look */

export class Camera {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    this.x = 0;
    this.y = 0;
    this.scale = 12 / PER_INCH;
    this.width = 1;
    this.height = 1;
    this.board = { width: 1, depth: 1 };
    /** Whether the whole table is shown because nobody has looked elsewhere. */
    this.fitted = true;
    /** What lies over the window's edges: fit keeps clear of it. */
    this.inset = { top: 0, right: 0, bottom: 0, left: 0 };
    /** @type {{from: Look, to: Look, start: number} | null} */
    this.flight = null;
  }

  /** @returns {Look} */
  look() {
    const { x, y, scale, width, height } = this;
    return { x, y, scale, width, height };
  }

  /** @param {number} width @param {number} height */
  resize(width, height) {
    this.width = width;
    this.height = height;
    if (this.fitted) this.fit();
    this.changed();
  }

  /** @param {Table} table */
  lay(table) {
    if (table.width === this.board.width && table.depth === this.board.depth) return;
    this.board = { width: table.width, depth: table.depth };
    this.fit();
  }

  /** Screen pixels of a point. @param {{x: number, y: number}} p @returns {[number, number]} */
  at(p) {
    return [this.width / 2 + (p.x - this.x) * this.scale, this.height / 2 - (p.y - this.y) * this.scale];
  }

  /** @param {number} px @param {number} py @returns {Point} */
  point(px, py) {
    return { x: Math.round(this.x + (px - this.width / 2) / this.scale), y: Math.round(this.y - (py - this.height / 2) / this.scale) };
  }

  /** The whole table, with its rail. */
  fit() {
    const { top, right, bottom, left } = this.inset;
    const [wide, high] = [Math.max(60, this.width - left - right - 28), Math.max(60, this.height - top - bottom - 28)];
    this.scale = Math.min(wide / this.board.width, high / this.board.depth);
    this.x = this.board.width / 2 + (right - left) / 2 / this.scale;
    this.y = this.board.depth / 2 + (top - bottom) / 2 / this.scale;
    this.fitted = true;
    this.flight = null;
    this.changed();
  }

  /** Something covers the window's lower edge: the whole table is shown above it. @param {number} bottom in pixels */
  keepClear(bottom) {
    if (bottom === this.inset.bottom) return;
    this.inset.bottom = bottom;
    if (this.fitted) this.fit();
  }

  /** @param {number} dx @param {number} dy in pixels */
  pan(dx, dy) {
    this.moveTo(this.x - dx / this.scale, this.y + dy / this.scale, this.scale);
  }

  /** @param {number} factor @param {number} px @param {number} py the point that stays under the pointer */
  zoom(factor, px, py) {
    const scale = Math.min(CLOSEST, Math.max(this.farthest(), this.scale * factor));
    const [ox, oy] = [px - this.width / 2, py - this.height / 2];
    this.moveTo(this.x + ox / this.scale - ox / scale, this.y - oy / this.scale + oy / scale, scale);
  }

  farthest() {
    return 0.6 * Math.min(this.width / this.board.width, this.height / this.board.depth);
  }

  /** @param {number} x @param {number} y @param {number} scale */
  moveTo(x, y, scale) {
    // The middle of the window stays on the table, so that nobody gets lost.
    this.x = Math.min(this.board.width, Math.max(0, x));
    this.y = Math.min(this.board.depth, Math.max(0, y));
    this.scale = scale;
    this.fitted = false;
    this.flight = null;
    this.changed();
  }

  /** Look at some places together, without a jump. @param {readonly {x: number, y: number}[]} places @param {boolean} still */
  home(places, still) {
    if (!places.length) return this.fit();
    const [xs, ys] = [places.map((p) => p.x), places.map((p) => p.y)];
    const [west, east, south, north] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const margin = 8 * PER_INCH;
    const scale = Math.min(CLOSEST / 3, this.width / (east - west + 2 * margin), this.height / (north - south + 2 * margin));
    const to = { ...this.look(), x: (west + east) / 2, y: (south + north) / 2, scale: Math.max(this.farthest(), scale) };
    if (still) return this.moveTo(to.x, to.y, to.scale);
    this.flight = { from: this.look(), to, start: performance.now() };
    this.changed();
  }

  /** One frame of a flight; tells whether it goes on. @param {number} now */
  fly(now) {
    if (!this.flight) return false;
    const { from, to, start } = this.flight;
    const flight = this.flight;
    const t = Math.min(1, (now - start) / 320);
    const share = t * t * (3 - 2 * t);
    this.moveTo(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share, from.scale * (to.scale / from.scale) ** share);
    this.flight = t < 1 ? flight : null;
    return t < 1;
  }
}
