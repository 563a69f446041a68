// The canvases, one over another under one camera. Each is drawn in the next frame when what it reads has changed.
/** @import { Model, Pose } from "../net/types" */
/** @import { State, Store } from "../state/types" */
/** @import { Effect } from "./layers/effects.js" */
/** @import { Pen } from "./pen.js" */
import { PER_INCH } from "../geometry/units.js";
import { ownQuestion } from "../state/select.js";
import { Cached } from "./cache.js";
import { Camera } from "./camera.js";
import { Ghosts, between } from "./ghosts.js";
import * as ground from "./layers/ground.js";
import * as models from "./layers/models.js";
import * as overlay from "./layers/overlay.js";
import * as presence from "./layers/presence.js";
import * as templates from "./layers/templates.js";

/**
 * @typedef {object} Layer
 * @property {string} name
 * @property {boolean} [cached]
 * @property {(state: State, view: View) => unknown[]} reads
 * @property {(pen: Pen, camera: Camera, state: State, view: View) => boolean | void} draw
 */
/** @typedef {{layer: Layer, canvas: HTMLCanvasElement, pen: Pen, cache: Cached | null, read: unknown[] | null, dirty: boolean}} Sheet */

/** The share of the window's height that a prompt covers, about. */
const PROMPT = 0.34;

/** @type {Layer[]} */
const LAYERS = [ground, models, templates, overlay, presence];

/** What the layers share beside the state: where things are on their way. */
export class View {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    this.now = performance.now();
    /** @type {Map<string, {from: Pose, to: Pose, via: {x: number, y: number}[], start: number, ms: number}>} */
    this.glides = new Map();
    /** @type {Effect[]} */
    this.effects = [];
    this.ghosts = new Ghosts();
  }

  /** The models that the resting layer leaves out. */
  moving() {
    const held = this.store.get().sketch.drag?.held ?? [];
    const fading = this.effects.flatMap((effect) => (effect.kind === "fade" ? effect.models.map((model) => model.id) : []));
    return [...held.map((one) => one.model), ...this.glides.keys(), ...fading].join(" ");
  }

  sliding() {
    return this.effects.flatMap((effect) => (effect.kind === "slide" ? [effect.template.id] : [])).join(" ");
  }

  /** Where a model is drawn: in the hand, under way, or where it stands. @param {Model} model @returns {Pose} */
  poseOf(model) {
    const held = this.store.get().sketch.drag?.held.find((one) => one.model === model.id);
    if (held) return held.pose;
    const glide = this.glides.get(model.id);
    if (!glide) return model.pose;
    const t = Math.min(1, (this.now - glide.start) / glide.ms);
    const share = t * t * (3 - 2 * t);
    return along([glide.from, ...glide.via, glide.to], share, glide);
  }

  /** @param {string} model @param {Pose} from @param {Pose} to @param {number} ms @param {{x: number, y: number}[]} [via] */
  glide(model, from, to, ms, via = []) {
    this.glides.set(model, { from, to, via, start: performance.now(), ms });
  }

  /** Things that have arrived are let go. */
  settle() {
    for (const [id, glide] of this.glides) if (this.now - glide.start >= glide.ms) this.glides.delete(id);
    if (this.effects.some((effect) => this.now - effect.start >= effect.ms)) this.effects = this.effects.filter((effect) => this.now - effect.start < effect.ms);
  }
}

/** A place on a way with bends. @param {{x: number, y: number}[]} way @param {number} share @param {{from: Pose, to: Pose}} ends @returns {Pose} */
function along(way, share, { from, to }) {
  const legs = way.slice(1).map((place, i) => Math.hypot(place.x - /** @type {Pose} */ (way[i]).x, place.y - /** @type {Pose} */ (way[i]).y));
  let left = share * legs.reduce((sum, leg) => sum + leg, 0);
  const turned = between(from, to, share);
  for (const [i, leg] of legs.entries()) {
    const [a, b] = [/** @type {Pose} */ (way[i]), /** @type {Pose} */ (way[i + 1])];
    if (left > leg && i < legs.length - 1) {
      left -= leg;
      continue;
    }
    const t = leg ? Math.min(1, left / leg) : 1;
    return { ...turned, x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t };
  }
  return turned;
}

export class Board {
  /** @param {HTMLElement} host @param {Store} store */
  constructor(host, store) {
    this.host = host;
    this.store = store;
    this.view = new View(store);
    this.camera = new Camera(() => this.moved());
    this.dpr = 1;
    /** @type {number | null} */
    this.frame = null;
    this.sheets = LAYERS.map((layer) => sheetFor(layer, host));
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    store.subscribe((state, before) => this.changed(state, before));
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
    this.changed(store.get(), store.get());
  }

  resize() {
    const { width, height } = this.host.getBoundingClientRect();
    this.dpr = Math.min(3, devicePixelRatio || 1);
    for (const { canvas } of this.sheets) {
      canvas.width = Math.round(width * this.dpr);
      canvas.height = Math.round(height * this.dpr);
    }
    // The tools stand on the left edge; on a small screen the table goes below them.
    this.camera.inset.left = width > 620 ? 44 : 0;
    this.camera.resize(width, height);
    this.moved();
  }

  moved() {
    for (const sheet of this.sheets ?? []) sheet.dirty = true;
    this.wake();
  }

  /** For who sees the page and not the picture: pixels per inch, and where on the board the south-west corner lies. */
  tell() {
    const [left, top] = this.camera.at({ x: 0, y: 0 });
    Object.assign(this.host.dataset, { scale: this.camera.scale * PER_INCH, left, top });
  }

  /** @param {State} state @param {State} before */
  changed(state, before) {
    if (state.shown) this.camera.lay(state.shown);
    this.camera.keepClear(ownQuestion(state) ? PROMPT * this.camera.height : 0);
    this.returnHeld(state, before);
    this.wake();
  }

  /** What was let go of without standing there glides back. @param {State} state @param {State} before */
  returnHeld(state, before) {
    if (state.sketch.drag || !before.sketch.drag) return;
    for (const { model, pose } of before.sketch.drag.held) {
      const there = state.shown?.models[model]?.pose;
      if (there && (there.x !== pose.x || there.y !== pose.y || there.facing !== pose.facing) && !this.still.matches) this.view.glide(model, pose, there, 240);
    }
  }

  wake() {
    this.frame ??= requestAnimationFrame((now) => this.draw(now));
  }

  /** @param {number} now */
  draw(now) {
    this.frame = null;
    this.view.now = now;
    this.view.settle();
    let again = this.camera.fly(now);
    if (this.sheets.some((sheet) => sheet.dirty)) this.tell();
    const state = this.store.get();
    for (const sheet of this.sheets) again = this.drawSheet(sheet, state) || again;
    if (again) this.wake();
  }

  /** @param {Sheet} sheet @param {State} state */
  drawSheet(sheet, state) {
    const read = sheet.layer.reads(state, this.view);
    const stale = !sheet.read || read.some((one, i) => one !== sheet.read?.[i]);
    if (!stale && !sheet.dirty) return false;
    sheet.read = read;
    sheet.dirty = false;
    const { pen, layer, cache } = sheet;
    pen.setTransform(this.dpr, 0, 0, this.dpr, 0, 0);
    pen.clearRect(0, 0, this.camera.width, this.camera.height);
    if (!cache) return this.goesOn(sheet, layer.draw(pen, this.camera, state, this.view));
    return this.goesOn(sheet, cache.paint(pen, this.camera, this.dpr, stale, (ink, camera) => void layer.draw(ink, camera, state, this.view), this.view.now));
  }

  /** @param {Sheet} sheet @param {boolean | void} more */
  goesOn(sheet, more) {
    if (more) sheet.dirty = true;
    return Boolean(more);
  }
}

/** @param {Layer} layer @param {HTMLElement} host @returns {Sheet} */
function sheetFor(layer, host) {
  const canvas = document.createElement("canvas");
  canvas.className = `layer layer-${layer.name}`;
  canvas.setAttribute("aria-hidden", "true");
  Object.assign(canvas.style, { position: "absolute", inset: "0", width: "100%", height: "100%", pointerEvents: "none" });
  host.append(canvas);
  const pen = /** @type {Pen} */ (canvas.getContext("2d"));
  return { layer, canvas, pen, cache: layer.cached ? new Cached() : null, read: null, dirty: true };
}
