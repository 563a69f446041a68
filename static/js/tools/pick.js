// Answers a question on the table: what may be chosen is lit, the rest is dimmed and says why.
/** @import { Choose, ChooseSome, Option } from "../net/types" */
/** @import { Hand, Tool, Touch } from "./machine.js" */
import { barredBy, ownQuestion, pickable } from "../state/select.js";
import { foresee } from "./foresee.js";

/** A question that has just come up is not answered by a click meant for something else. */
const GUARD = 500;
let asked = { id: -1, at: 0 };

/** @type {Tool} */
export const pick = {
  name: "pick",
  enter: (hand) => void questionOf(hand),
  press: () => false,
  click(hand, touch) {
    const own = questionOf(hand);
    const model = hand.sight.model(touch.px, touch.py, touch.kind === "touch" ? 18 : 12);
    if (!own || !model) return;
    const option = optionFor(own.question, model);
    const barred = barredBy(own.question).get(model.id) ?? barredBy(own.question).get(model.unit);
    if (!option) return barred ? hand.local.notice(barred.why, "warn", barred.rule) : hand.local.select([model.id]);
    if (Date.now() - asked.at < GUARD) return;
    if (own.question.kind === "choosesome") return void toggle(hand, own.question, option);
    // A finger cannot hover: the first tap looks, the second chooses.
    if (touch.kind === "touch" && hand.store.get().hover !== model.id) return look(hand, model.id, option);
    hand.intents.answer(own.id, option.id);
  },
  hover(hand, touch) {
    const model = touch ? hand.sight.model(touch.px, touch.py) : null;
    const own = questionOf(hand);
    const option = own && model ? optionFor(own.question, model) : null;
    if (model?.id === hand.store.get().hover) return;
    look(hand, model?.id ?? null, option);
  },
  key(hand, event) {
    const own = questionOf(hand);
    if (event.key !== "Enter" || own?.question.kind !== "choosesome") return false;
    const { picked } = hand.store.get().sketch;
    if (picked.length < own.question.least || picked.length > own.question.most) return false;
    hand.intents.answer(own.id, picked);
    return true;
  },
  exit: (hand) => hand.local.sketch({ picked: [] }),
};

/** @param {Hand} hand @returns {{id: number, question: Choose | ChooseSome} | null} */
function questionOf(hand) {
  const own = ownQuestion(hand.store.get());
  if (!own || (own.question.kind !== "choose" && own.question.kind !== "choosesome")) return null;
  if (asked.id !== own.id) asked = { id: own.id, at: Date.now() };
  return { id: own.id, question: own.question };
}

/** @param {Choose | ChooseSome} question @param {{id: string, unit: string}} model */
function optionFor(question, model) {
  const lit = pickable(question);
  return lit.get(model.id) ?? lit.get(model.unit) ?? null;
}

/** @param {Hand} hand @param {string | null} model @param {Option | null} option */
function look(hand, model, option) {
  hand.local.hover(model);
  const own = ownQuestion(hand.store.get());
  if (own && option) foresee(hand, { question: own.id, option: option.id });
}

/** @param {Hand} hand @param {ChooseSome} question @param {Option} option */
function toggle(hand, question, option) {
  const { picked } = hand.store.get().sketch;
  if (picked.includes(option.id)) return hand.local.sketch({ picked: picked.filter((id) => id !== option.id) });
  if (picked.length >= question.most) return question.most === 1 ? hand.local.sketch({ picked: [option.id] }) : hand.local.notice(`Choose at most ${question.most}.`, "warn");
  hand.local.sketch({ picked: [...picked, option.id] });
}
