// A picture of a layer a little larger than the window, moved while panning and made anew when it no longer fits.
/** @import { Camera, Look } from "./camera.js" */
/** @import { Pen } from "./pen.js" */

const MARGIN = 160;
/** Milliseconds: what may be drawn in every frame of a zoom. */
const CHEAP = 2.5;
const SETTLED = 140;

export class Cached {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.pen = /** @type {Pen} */ (this.canvas.getContext("2d"));
    /** @type {Look & {dpr: number} | null} */
    this.look = null;
    this.cost = 0;
    /** The scale last asked for, and since when it rests. */
    this.scale = 0;
    this.zoomed = 0;
  }

  /** Draw the layer; tells whether it must be called again, sharper. @param {Pen} pen @param {Camera} camera @param {number} dpr
   * @param {boolean} stale @param {(pen: Pen, camera: Camera) => void} draw @param {number} now */
  paint(pen, camera, dpr, stale, draw, now) {
    const had = this.look;
    const same = had && !stale && had.dpr === dpr && had.width === camera.width && had.height === camera.height;
    if (!same || !this.holds(camera)) this.render(camera, dpr, draw);
    else if (had.scale !== camera.scale) {
      if (this.scale !== camera.scale) [this.scale, this.zoomed] = [camera.scale, now];
      if (this.cost < CHEAP || now - this.zoomed > SETTLED) this.render(camera, dpr, draw);
      else return this.blit(pen, camera, dpr), true;
    }
    this.blit(pen, camera, dpr);
    return false;
  }

  /** Whether the picture covers what the camera sees, or is near enough while zooming. @param {Camera} camera */
  holds(camera) {
    const look = /** @type {Look} */ (this.look);
    const ratio = camera.scale / look.scale;
    if (ratio < 0.5 || ratio > 2) return false;
    if (ratio !== 1) return true;
    return Math.abs(camera.x - look.x) * camera.scale <= MARGIN && Math.abs(camera.y - look.y) * camera.scale <= MARGIN;
  }

  /** @param {Camera} camera @param {number} dpr @param {(pen: Pen, camera: Camera) => void} draw */
  render(camera, dpr, draw) {
    const start = performance.now();
    const [wide, high] = [camera.width + 2 * MARGIN, camera.height + 2 * MARGIN];
    const [w, h] = [Math.round(wide * dpr), Math.round(high * dpr)];
    if (this.canvas.width !== w || this.canvas.height !== h) [this.canvas.width, this.canvas.height] = [w, h];
    this.pen.setTransform(dpr, 0, 0, dpr, 0, 0);
    this.pen.clearRect(0, 0, wide, high);
    const wider = Object.assign(Object.create(Object.getPrototypeOf(camera)), camera, { width: wide, height: high });
    draw(this.pen, wider);
    this.look = { ...camera.look(), dpr };
    this.cost = performance.now() - start;
  }

  /** @param {Pen} pen @param {Camera} camera @param {number} dpr */
  blit(pen, camera, dpr) {
    const look = /** @type {Look} */ (this.look);
    const ratio = camera.scale / look.scale;
    const [wide, high] = [(look.width + 2 * MARGIN) * ratio, (look.height + 2 * MARGIN) * ratio];
    const x = camera.width / 2 - wide / 2 + (look.x - camera.x) * camera.scale;
    const y = camera.height / 2 - high / 2 - (look.y - camera.y) * camera.scale;
    // Whole pixels of the device, else a panned picture is blurred and slow.
    const round = (/** @type {number} */ v) => Math.round(v * dpr) / dpr;
    // Without a GPU smoothing costs more than a frame; the sharp picture follows as soon as the zoom rests.
    pen.imageSmoothingEnabled = false;
    pen.drawImage(this.canvas, round(x), round(y), wide, high);
  }
}
