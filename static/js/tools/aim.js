// A direction, pointed at and confirmed by a click.
/** @import { Aim, Point } from "../net/types" */
/** @import { Hand, Tool } from "./machine.js" */
import { bearingTo, whole } from "../geometry/units.js";
import { ownQuestion } from "../state/select.js";

/** @type {Tool} */
export const aim = {
  name: "aim",
  enter(hand) {
    const own = asked(hand);
    if (own) point(hand, own.question, own.question.origin.facing);
  },
  press: () => true,
  drag: (hand, touch) => towards(hand, touch.at),
  hover(hand, touch) {
    if (touch) towards(hand, touch.at);
  },
  click(hand, touch) {
    towards(hand, touch.at);
    if (touch.kind !== "touch" || touch.count > 1) send(hand);
  },
  key(hand, event) {
    const own = asked(hand);
    const held = hand.store.get().sketch.aim;
    if (!own || !held) return false;
    if (event.key === "Enter") return send(hand), true;
    const turn = { ArrowLeft: -1, BracketLeft: -1, ArrowRight: 1, BracketRight: 1 }[event.code] ?? 0;
    if (turn) point(hand, own.question, whole(held.bearing + turn * (event.shiftKey ? 100 : 500)));
    return turn !== 0;
  },
  exit: (hand) => hand.local.sketch({ aim: null }),
};

/** @param {Hand} hand @returns {{id: number, question: Aim} | null} */
function asked(hand) {
  const own = ownQuestion(hand.store.get());
  return own?.question.kind === "aim" ? { id: own.id, question: own.question } : null;
}

/** @param {Hand} hand @param {Point} at */
function towards(hand, at) {
  const own = asked(hand);
  if (own) point(hand, own.question, bearingTo(own.question.origin, at));
}

/** @param {Hand} hand @param {Aim} question @param {number} bearing */
function point(hand, { origin, arc }, bearing) {
  const off = Math.abs(((bearing - origin.facing + 54_000) % 36_000) - 18_000);
  hand.local.sketch({ aim: { bearing, lawful: 2 * off <= arc } });
}

/** @param {Hand} hand */
function send(hand) {
  const own = asked(hand);
  const held = hand.store.get().sketch.aim;
  if (!own || !held) return;
  if (!held.lawful) return hand.local.notice("That is outside the arc.", "warn");
  hand.intents.answer(own.id, held.bearing);
}
