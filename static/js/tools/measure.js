// The ruler: from base edge to base edge where there are bases, else from point to point. Alt measures points only.
/** @import { Point } from "../net/types" */
/** @import { Rule, State } from "../state/types" */
/** @import { Hand, Tool, Touch } from "./machine.js" */
import { closest, nearestTo } from "../geometry/distance.js";
import { footprint } from "../geometry/shapes.js";
import { apart, sayLength } from "../geometry/units.js";

/** An end of a ruler: a place, and the base it lies on if any. @typedef {{at: Point, model: string | null}} End */
/** @type {End[]} */
let ends = [];

/** @type {Tool} */
export const measure = {
  name: "measure",
  press: () => true,
  start(hand, touch, from) {
    ends = [endAt(hand, from)];
  },
  drag(hand, touch) {
    lay(hand, [...ends, endAt(hand, touch)]);
  },
  drop(hand, touch) {
    lay(hand, [...ends, endAt(hand, touch)]);
    if (touch.shift) pin(hand);
  },
  hover(hand, touch) {
    hand.local.hover(touch ? (hand.sight.model(touch.px, touch.py)?.id ?? null) : null);
    const [only, more] = hand.store.get().selection;
    const model = only && !more ? hand.store.get().shown?.models[only] : null;
    // With one model selected the ruler follows the pointer from its edge.
    if (touch && model && !hand.store.get().sketch.ruler?.points.length) lay(hand, [{ at: model.pose, model: model.id }, endAt(hand, touch)], false);
    else if (touch && model && !ends.length) lay(hand, [{ at: model.pose, model: model.id }, endAt(hand, touch)], false);
  },
  click(hand, touch) {
    const model = hand.sight.model(touch.px, touch.py);
    ends = [];
    clear(hand);
    hand.local.select(model ? [model.id] : []);
  },
  aside(hand, touch) {
    if (ends.length < 12) ends = [...ends, endAt(hand, touch)];
    return true;
  },
  key(hand, event) {
    if (event.key === "Enter" || event.key === "p") return pin(hand), true;
    if (event.key !== "Escape" || !hand.store.get().sketch.ruler) return false;
    ends = [];
    clear(hand);
    return true;
  },
  cancel: (hand) => clear(hand),
  exit(hand) {
    ends = [];
    clear(hand);
  },
};

/** @param {Hand} hand @param {Touch} touch @returns {End} */
function endAt(hand, touch) {
  const model = touch.alt ? null : hand.sight.model(touch.px, touch.py, 4);
  return { at: touch.at, model: model?.id ?? null };
}

/** @param {Hand} hand @param {End[]} laid @param {boolean} [told] whether the others see it */
function lay(hand, laid, told = true) {
  const rules = rulesOf(hand.store.get(), laid);
  const points = laid.map((end) => end.at);
  const total = rules.reduce((sum, rule) => sum + rule.length, 0);
  hand.local.sketch({ ruler: { points, rules, total } });
  const [first] = rules;
  if (told && first) hand.intents.point("ruler", { points: [first.from, ...rules.map((rule) => rule.to)].map(({ x, y }) => [Math.round(x), Math.round(y)]) });
}

/** @param {State} state @param {End[]} laid @returns {Rule[]} */
export function rulesOf(state, laid) {
  return laid.slice(1).flatMap((to, i) => {
    const from = laid[i];
    return from ? [ruleBetween(state, from, to)] : [];
  });
}

/** @param {State} state @param {End} a @param {End} b @returns {Rule} */
function ruleBetween(state, a, b) {
  const [here, there] = [shapeOf(state, a), shapeOf(state, b)];
  const gap = here && there && a.model !== b.model ? closest(here, there) : null;
  const from = gap ? gap.from : here && a.model !== b.model ? nearestTo(here, b.at) : a.at;
  const to = gap ? gap.to : there && a.model !== b.model ? nearestTo(there, a.at) : b.at;
  const edge = Boolean(here || there) && a.model !== b.model;
  return { from, to, length: gap ? Math.round(gap.length) : apart(from, to), edge, text: rise(state, a, b) };
}

/** @param {State} state @param {End} end */
function shapeOf(state, end) {
  const model = end.model ? state.shown?.models[end.model] : null;
  return model ? footprint(model.base, model.pose) : null;
}

/** How much higher the other end stands. @param {State} state @param {End} a @param {End} b */
function rise(state, a, b) {
  const height = (/** @type {End} */ end) => (end.model ? (state.shown?.models[end.model]?.pose.z ?? 0) : 0);
  const up = height(b) - height(a);
  return a.model && b.model && up ? `${up > 0 ? "up" : "down"} ${sayLength(Math.abs(up), state.settings.unit)}` : "";
}

/** @param {Hand} hand */
function clear(hand) {
  hand.local.sketch({ ruler: null });
  hand.intents.point("ruler", { points: [] });
}

/** Leave the ruler on the table for everybody. @param {Hand} hand */
async function pin(hand) {
  const { sketch: { ruler }, role, settings } = hand.store.get();
  const [first] = ruler?.rules ?? [];
  if (!ruler || !first || (role !== "south" && role !== "north")) return;
  const points = [first.from, ...ruler.rules.map((rule) => rule.to)].map(({ x, y }) => ({ x: Math.round(x), y: Math.round(y) }));
  const marker = { id: `ruler-${role}-${Date.now().toString(36)}`, by: role, kind: "ruler", points, text: sayLength(ruler.total, settings.unit) };
  ends = [];
  clear(hand);
  await hand.intents.act("mark", "", { marker });
}
