// Asks for the odds of what is looked at: once the hand rests, and never twice for the same.
/** @import { Hand } from "./machine.js" */

/** @typedef {{action: string, subject: string} | {question: number, option: unknown}} What */
const REST = 90;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let wanted = "";

/** @param {What} what */
export const keyOf = (what) => ("question" in what ? `question:${what.question}:${JSON.stringify(what.option)}` : `${what.action}:${what.subject}`);

/** @param {Hand} hand @param {What} what */
export function foresee(hand, what) {
  const key = keyOf(what);
  if (key === wanted) return;
  clearTimeout(timer);
  wanted = key;
  timer = setTimeout(async () => {
    const reply = await hand.intents.odds(what);
    if (wanted === key) hand.local.forecast(reply.ok ? { key, result: reply.forecast } : null);
  }, REST);
}

/** @param {Hand} hand */
export function forget(hand) {
  clearTimeout(timer);
  wanted = "";
  if (hand.store.get().forecast) hand.local.forecast(null);
}
