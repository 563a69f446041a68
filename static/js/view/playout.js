// Events play out on the table one after another: the canvas runs behind the log while a shot is shown, never ahead of it.
/** @import { Fact, WireEvent } from "../net/types" */
/** @import { Store } from "../state/types" */
/** @import { Board } from "./board.js" */
/** @import { Effect } from "./layers/effects.js" */
import { apart } from "../geometry/units.js";

/** What one delivery may take at most, in milliseconds at speed 1; a long salvo is hurried to fit. */
const LONGEST = 4_500;
/** Further behind than this, nobody wants to watch it all. */
const TOO_MANY = 400;

/** @typedef {{ms: number, run: (ms: number) => void}} Scene */
/** @typedef {Effect extends infer E ? E extends Effect ? Omit<E, "start" | "ms"> : never : never} Bare */

/** @param {Store} store @param {Board} board */
export function playout(store, board) {
  const { view } = board;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let beat;
  let busy = false;
  let haste = 1;

  store.dispatch({ type: "animation", animation: { attached: true } });
  const stop = store.subscribe((state) => { if (!busy && behind() && state.cursor === null) begin(); });
  document.addEventListener("visibilitychange", () => document.hidden && skip());

  const behind = () => store.get().animation.until < store.get().seq;
  const waiting = () => store.get().log.filter((event) => event.seq > store.get().animation.until);

  /** @param {number} until @param {boolean} playing */
  const reach = (until, playing) => store.dispatch({ type: "animation", animation: { until, playing } });

  function begin() {
    const events = waiting();
    const { settings, animation } = store.get();
    if (document.hidden || !settings.motion || board.still.matches || events.length > TOO_MANY) return glimpse(events);
    const whole = events.reduce((sum, event) => sum + (sceneOf(event)?.ms ?? 0), 0);
    haste = Math.max(1, whole / LONGEST) * settings.speed * animation.speed;
    busy = true;
    next();
  }

  /** Without motion: the table is as it is now, and what was struck is marked for a moment. @param {WireEvent[]} events */
  function glimpse(events) {
    busy = true;
    reach(store.get().seq, false);
    busy = false;
    const struck = events.flatMap((event) => (event.kind === "noted" && event.outcome === "hit" ? event.refs : []));
    if (struck.length) show({ kind: "flash", ids: struck, tone: "hit" }, 600);
  }

  function next() {
    for (const event of waiting()) {
      const scene = sceneOf(event);
      if (!scene || scene.ms <= 0) continue;
      reach(event.seq - 1, true);
      const ms = scene.ms / haste;
      scene.run(ms);
      board.wake();
      beat = setTimeout(() => done(event), ms);
      return;
    }
    finish();
  }

  /** @param {WireEvent} event */
  function done(event) {
    reach(event.seq, true);
    if (behind()) next();
    else finish();
  }

  function finish() {
    reach(store.get().seq, false);
    busy = false;
    board.wake();
  }

  /** Show how it came out at once; tells whether anything was playing. */
  function skip() {
    if (!busy && !behind()) return false;
    clearTimeout(beat);
    view.effects = [];
    view.glides.clear();
    finish();
    return true;
  }

  /** @param {Bare} effect @param {number} ms */
  function show(effect, ms) {
    view.effects = [...view.effects, /** @type {Effect} */ ({ ...effect, start: performance.now(), ms })];
    board.wake();
  }

  /** @param {WireEvent} event @returns {Scene | null} */
  function sceneOf(event) {
    switch (event.kind) {
      case "rolled":
        return rolledScene(event);
      case "noted":
        return event.outcome && event.refs.length ? { ms: 160, run: (ms) => show({ kind: "flash", ids: event.refs, tone: event.outcome === "hit" || event.outcome === "hole" ? "hit" : "note" }, ms * 2) } : null;
      case "changed":
        return changedScene(event.fact);
      default:
        return null;
    }
  }

  /** Where the dice of an event land: over the template, or over whom they concern.
   * @param {Extract<WireEvent, {kind: "rolled"}>} event */
  function placeOf(event) {
    const { shown } = store.get();
    const [template] = Object.values(shown?.templates ?? {});
    const about = event.refs.map((ref) => shown?.models[ref]).find(Boolean);
    return template?.centre ?? about?.pose ?? null;
  }

  /** @param {Extract<WireEvent, {kind: "rolled"}>} event @returns {Scene} */
  function rolledScene(event) {
    const [face] = event.faces;
    if (event.die === "bearing") {
      return { ms: 620, run: (ms) => {
        const at = placeOf(event);
        if (at) show({ kind: "arrow", at, bearing: Number(face) * 100 }, ms * 2.2);
      } };
    }
    const lead = event.die === "scatter" || event.die === "artillery";
    return { ms: lead ? 760 : 420, run: (ms) => show({ kind: "dice", die: event.die, faces: event.faces, at: placeOf(event) }, lead ? ms * 1.25 : ms) };
  }

  /** @param {Fact} fact @returns {Scene | null} */
  function changedScene(fact) {
    switch (fact.fact) {
      case "template_laid": {
        const { template } = fact;
        return { ms: 480, run: (ms) => show({ kind: "slide", template, from: store.get().shown?.templates[template.id]?.centre ?? template.centre }, ms) };
      }
      case "template_lifted":
        return { ms: 220, run: () => {} };
      case "models_removed":
        return { ms: 380, run: (ms) => show({ kind: "fade", models: fact.models.flatMap((id) => store.get().shown?.models[id] ?? []) }, ms) };
      case "models_moved":
        return movedScene(fact.moves);
      case "status_set":
        return { ms: 120, run: (ms) => show({ kind: "flash", ids: [fact.model], tone: "note" }, ms * 3) };
      default:
        return null;
    }
  }

  /** What this hand has just put down needs no second look. @param {Extract<Fact, {fact: "models_moved"}>["moves"]} moves @returns {Scene | null} */
  function movedScene(moves) {
    const { sketch: { drag }, shown } = store.get();
    const own = drag?.state === "sent" && moves.every((move) => drag.held.some((held) => held.model === move.model));
    if (own) return null;
    const longest = Math.max(0, ...moves.map((move) => { const from = shown?.models[move.model]?.pose; return from ? apart(from, move.pose) : 0; }));
    return { ms: Math.min(520, 160 + longest / 250), run: (ms) => {
      for (const { model, pose, via } of moves) {
        const from = store.get().shown?.models[model]?.pose;
        if (from) view.glide(model, from, pose, ms, via);
      }
    } };
  }

  return { skip, stop };
}

/** @typedef {ReturnType<typeof playout>} Playout */
