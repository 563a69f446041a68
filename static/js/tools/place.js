// A template or a point under the pointer, put down by a click inside the lawful region.
/** @import { Place, Point } from "../net/types" */
/** @import { Hand, Tool } from "./machine.js" */
import { hasInside } from "../geometry/shapes.js";
import { ownQuestion } from "../state/select.js";
import { foresee } from "./foresee.js";

/** @type {Tool} */
export const place = {
  name: "place",
  enter(hand) {
    const own = asked(hand);
    if (own) hold(hand, own.question, own.question.suggested);
  },
  press(hand, touch) {
    const held = hand.store.get().sketch.place;
    const reach = Math.max(held?.shape?.radius ?? 0, 16 / hand.sight.scale());
    return Boolean(held && Math.hypot(held.at.x - touch.at.x, held.at.y - touch.at.y) <= reach);
  },
  drag(hand, touch) {
    const own = asked(hand);
    if (own) hold(hand, own.question, touch.at);
  },
  drop(hand, touch) {
    const own = asked(hand);
    if (own) hold(hand, own.question, touch.at);
  },
  hover(hand, touch) {
    const own = asked(hand);
    if (own && touch && touch.kind === "mouse") hold(hand, own.question, touch.at);
  },
  click(hand, touch) {
    const own = asked(hand);
    if (!own) return;
    hold(hand, own.question, touch.at);
    // A finger looks first and confirms in the panel, or with a second tap.
    if (touch.kind !== "touch" || touch.count > 1) send(hand, own.id);
  },
  key(hand, event) {
    const own = asked(hand);
    const held = hand.store.get().sketch.place;
    if (!own || !held) return false;
    if (event.key === "Enter") return send(hand, own.id), true;
    const step = event.shiftKey ? 1_000 : 10_000;
    const [east, north] = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key] ?? [0, 0];
    if (!east && !north) return false;
    hold(hand, own.question, { x: held.at.x + (east ?? 0) * step, y: held.at.y + (north ?? 0) * step });
    return true;
  },
  exit(hand) {
    hand.local.sketch({ place: null });
    hand.intents.point("aim", { x: null, y: null, radius: 0, hole: 0 });
  },
};

/** @param {Hand} hand @returns {{id: number, question: Place} | null} */
function asked(hand) {
  const own = ownQuestion(hand.store.get());
  return own?.question.kind === "place" ? { id: own.id, question: own.question } : null;
}

/** @param {Hand} hand @param {Place} question @param {Point} at */
function hold(hand, question, at) {
  const why = whyNot(question, at);
  hand.local.sketch({ place: { at, shape: question.shape, lawful: !why, why } });
  hand.intents.point("aim", { x: at.x, y: at.y, radius: question.shape?.radius ?? 0, hole: question.shape?.hole ?? 0 });
  const own = asked(hand);
  if (own && !why) foresee(hand, { question: own.id, option: { x: at.x, y: at.y } });
}

/** @param {Place} question @param {Point} at */
function whyNot({ region, reach }, at) {
  if (region.outline.length && !hasInside(region.outline, at)) return "outside the lawful region";
  if (!reach) return "";
  const away = Math.hypot(at.x - reach.origin.x, at.y - reach.origin.y);
  if (away < reach.least) return "inside the minimum range";
  return away > reach.most ? "out of range" : "";
}

/** @param {Hand} hand @param {number} id */
function send(hand, id) {
  const held = hand.store.get().sketch.place;
  if (!held) return;
  if (!held.lawful) return hand.local.notice(`That is ${held.why}.`, "warn");
  hand.intents.answer(id, { x: held.at.x, y: held.at.y });
}
