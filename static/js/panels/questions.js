// The prompt: one panel for each of the seven kinds of question. Who is not asked sees whom the table waits for.
/** @import { Aim, Allocate, AnyQuestion, Barred, Choose, ChooseSome, Confirm, Guess, Option, Place } from "../net/types" */
/** @import { State } from "../state/types" */
/** @import { Acts } from "./acts.js" */
import { html, nothing } from "lit-html";
import { keyed } from "lit-html/directives/keyed.js";
import { inches, isSeat, percent, personName, seatMark, spot, thingName } from "./names.js";
import { offerBar } from "./offers.js";
import { along, bearingOf, numbersOf, ruleChip, submit } from "./parts.js";
import { text } from "./text.js";

/** @typedef {(value: unknown) => void} Reply */

/** What this viewer is asked, the oldest first. @param {State} state @returns {[string, AnyQuestion] | undefined} */
export function askedOf(state) {
  if (state.cursor !== null) return undefined;
  return Object.entries(state.standing.questions).filter(([, question]) => question.to === state.role).sort(([a], [b]) => Number(a) - Number(b))[0];
}

/** @param {State} state @param {Acts} acts @param {boolean} guarded whether the prompt is too new to be answered */
export function promptPanel(state, acts, guarded) {
  const asked = askedOf(state);
  if (asked) return keyed(asked[0], ownQuestion(state, acts, asked, guarded));
  const others = Object.values(state.standing.questions);
  if (others.length && state.cursor === null) return waiting(state, acts, others);
  if (state.standing.frozen && state.cursor === null) return frozen(state, state.standing.frozen);
  if (state.table?.clock.over && state.cursor === null) return over(state, acts);
  return state.cursor === null ? offerBar(state, acts) : nothing;
}

/** The turns are played, and the seed of the dice is still secret. @param {State} state @param {Acts} acts */
const over = (state, acts) => html`<section class="prompt waiting" aria-live="polite"><div class="row"><span>${text.over}.</span>
  ${isSeat(state.role) ? html`<button class="primary" @click=${() => acts.propose({ motion: "end" })}>${text.closeBattle}</button>` : nothing}</div></section>`;

/** @param {State} state @param {string} why */
const frozen = (state, why) => html`<section class="prompt waiting" aria-live="polite"><div class="row"><span>${why}</span>
  ${state.log.some((event) => event.kind === "closed") ? html`<a class="button" href="/verify">${text.replay.verify}</a><a class="button primary" href="/">${text.rematch}</a>` : nothing}</div></section>`;

/** @param {State} state @param {Acts} acts @param {AnyQuestion[]} questions */
function waiting(state, acts, questions) {
  const [question] = questions;
  if (!question) return nothing;
  const who = [...new Set(questions.map((one) => personName(state.crowd, one.to)))].join(", ");
  return html`<section class="prompt waiting" aria-live="polite">
    <div class="row"><span>${seatMark(question.to)} ${text.waitsFor(who)}: <b>${question.prompt}</b> ${ruleChip(question.rule)}</span>
    ${isSeat(state.role) && state.standing.motion === null
      ? html`<button class="quiet" @click=${() => acts.propose({ motion: "resolve" })}>${text.proposeResolve}</button>` : nothing}</div></section>`;
}

/** @param {State} state @param {Acts} acts @param {[string, AnyQuestion]} asked @param {boolean} guarded */
function ownQuestion(state, acts, [id, question], guarded) {
  const sent = Object.values(state.pending).some((entry) => entry.event === "answer" && entry.payload["question"] === Number(id) && entry.state === "sent");
  const reply = (/** @type {unknown} */ value) => { if (!guarded && !sent) acts.answer(id, value); };
  return html`<section class="prompt" id="prompt" role="region" aria-labelledby="prompt-text" tabindex="-1" data-guard=${guarded} data-kind=${question.kind} aria-busy=${sent}>
    <div class="row"><span class="small">${ruleChip(question.rule)} <span class="muted">${text.askedOf(personName(state.crowd, question.to))}</span></span>
      ${sent ? html`<span class="muted end">${text.busy}</span>` : nothing}</div>
    <h2 id="prompt-text" aria-live="assertive">${question.prompt}</h2>
    <div class="answers">${answers(state, acts, id, question, reply)}</div></section>`;
}

/** @param {State} state @param {Acts} acts @param {string} id @param {AnyQuestion} question @param {Reply} reply */
function answers(state, acts, id, question, reply) {
  switch (question.kind) {
    case "confirm":
      return confirm(question, reply);
    case "choose":
      return choose(state, acts, id, question, reply);
    case "choosesome":
      return chooseSome(state, acts, question, reply);
    case "place":
      return place(state, question, reply);
    case "aim":
      return aim(state, question, reply);
    case "allocate":
      return allocate(question, reply);
    case "guess":
      return guess(question, reply);
  }
}

/** @param {Confirm} question @param {Reply} reply */
const confirm = (question, reply) => html`<div class="row">
  <button class="primary" @click=${() => reply(true)}>${question.yes}<kbd>Y</kbd></button>
  <button @click=${() => reply(false)}>${question.no}<kbd>N</kbd></button></div>`;

/** @param {State} state @param {Acts} acts @param {string} id @param {Choose} question @param {Reply} reply */
function choose(state, acts, id, question, reply) {
  return html`<div class="options ${many(question)}" role="group" aria-labelledby="prompt-text">
    ${question.options.map((option, number) => html`<button data-refs=${option.refs.join(" ")} data-option=${option.id} @click=${() => reply(option.id)}
        @focus=${() => foretell(state, acts, id, option)} @pointerenter=${() => foretell(state, acts, id, option)}>
      ${number < 9 ? html`<kbd>${number + 1}</kbd>` : nothing}<span>${option.label}</span>
      ${option.note ? html`<span class="note">${option.note}</span>` : nothing}${figure(state, id, option)}</button>`)}
  </div>${barredList(state, question.barred)}`;
}

/** Many options stand in columns, so that the table stays in sight. @param {{options: readonly Option[]}} question */
const many = ({ options }) => (options.length > 4 ? "many" : "");

/** @param {string} id @param {string} option */
export const oddsKey = (id, option) => `${id}:${option}`;

/** What an option would cause, once somebody looks at it. @param {State} state @param {Acts} acts @param {string} id @param {Option} option */
async function foretell(state, acts, id, option) {
  acts.light(option.refs);
  if (state.forecast?.key === oddsKey(id, option.id)) return;
  const reply = await acts.odds({ question: id, option: option.id });
  if (reply.ok) acts.forecast({ key: oddsKey(id, option.id), result: reply.forecast });
}

/** @param {State} state @param {string} id @param {Option} option */
function figure(state, id, option) {
  if (state.forecast?.key !== oddsKey(id, option.id)) return nothing;
  const { expected, outcomes } = state.forecast.result;
  const [first] = outcomes;
  const words = [first ? `${first.label.toLowerCase()} ${percent(first.chance)}` : "", `${text.expectedHits.toLowerCase()} ${((expected.hits ?? 0) / 1000).toFixed(1)}`];
  return html`<span class="figure note">${words.filter(Boolean).join(" · ")}</span>`;
}

/** @param {State} state @param {Barred[]} barred */
function barredList(state, barred) {
  if (!barred.length) return nothing;
  return html`<details class="why"><summary>${text.barred(barred.length)}</summary>
    <ul>${barred.map((one) => html`<li data-refs=${one.id}><b>${thingName(state.table, one.id)}:</b> ${one.why} ${ruleChip(one.rule)}</li>`)}</ul></details>`;
}

/** Picks live in the store, so that the table and this list show the same. @param {State} state @param {Acts} acts @param {ChooseSome} question @param {Reply} reply */
function chooseSome(state, acts, question, reply) {
  const known = new Set(question.options.map((option) => option.id));
  const picked = state.sketch.picked.filter((id) => known.has(id));
  const fits = picked.length >= question.least && picked.length <= question.most;
  const flip = (/** @type {string} */ id) => acts.sketch({ picked: picked.includes(id) ? picked.filter((one) => one !== id) : [...picked, id] });
  return html`<form @submit=${submit(() => reply(picked))}>
    <div class="options ${many(question)}" role="group" aria-labelledby="prompt-text">${question.options.map((option) => html`<label class="check" data-refs=${option.refs.join(" ")}>
      <input type="checkbox" .checked=${picked.includes(option.id)} ?disabled=${!picked.includes(option.id) && picked.length >= question.most} @change=${() => flip(option.id)}>
      <span>${option.label}</span><span class="note">${option.note}</span></label>`)}</div>
    <div class="row"><button class="primary" ?disabled=${!fits}>${text.done}</button>
      <span class="muted" aria-live="polite">${text.pickSome(question.least, question.most)} ${text.picked(picked.length)}</span></div></form>`;
}

/** @param {State} state @param {Place} question @param {Reply} reply */
function place(state, question, reply) {
  const hand = state.sketch.place;
  const start = question.suggested;
  return html`<div class="stack"><p class="muted small">${text.placeHelp}</p>
    <div class="row">
      ${hand ? html`<button class="primary" ?disabled=${!hand.lawful} title=${hand.why} @click=${() => reply(hand.at)}>${text.placeHere} ${spot(hand.at)}</button>` : nothing}
      <button class=${hand ? "" : "primary"} @click=${() => reply(start)}>${text.useSuggested} ${spot(start)}</button></div>
    <form class="fields" @submit=${submit((form) => reply(typedPoint(form)))}>
      ${number("x", text.placeX, inches(start.x), { step: "0.0001" })}${number("y", text.placeY, inches(start.y), { step: "0.0001" })}<button>${text.placeHere}</button></form>
    <details><summary class="small">${text.placeFrom}</summary><form class="fields" @submit=${submit((form) => reply(stepped(start, form)))}>
      ${number("distance", text.placeDistance, "1", { step: "0.01", min: 0 })}${number("bearing", text.placeBearing, "0", { step: "0.01" })}<button>${text.placeHere}</button></form></details></div>`;
}

/** @param {HTMLFormElement} form */
function typedPoint(form) {
  const { x = 0, y = 0 } = numbersOf(form);
  return { x: Math.round(x * 10_000), y: Math.round(y * 10_000) };
}

/** @param {{x: number, y: number}} from @param {HTMLFormElement} form */
function stepped(from, form) {
  const { distance = 0, bearing = 0 } = numbersOf(form);
  const by = along(distance, bearing);
  return { x: from.x + by.x, y: from.y + by.y };
}

/** @param {State} state @param {Aim} question @param {Reply} reply */
function aim(state, question, reply) {
  const facing = question.origin.facing;
  const hand = state.sketch.aim;
  return html`<div class="stack"><p class="muted small">${text.aimHelp(String(facing / 100), String(question.arc / 200))}</p>
    <form class="fields" @submit=${submit((form) => reply(bearingOf(numbersOf(form)["bearing"] ?? facing / 100)))}>
      ${number("bearing", text.aimBearing, String((hand?.bearing ?? facing) / 100), { step: "0.01" })}<button class="primary">${text.aimAt}</button>
      <button type="button" @click=${() => reply(facing)}>${text.straightAhead}</button></form></div>`;
}

/** @param {Allocate} question @param {Reply} reply */
function allocate(question, reply) {
  const first = fillFromTop(question);
  return html`<form @input=${(/** @type {InputEvent} */ event) => count(/** @type {HTMLFormElement} */ (event.currentTarget), question)}
      @submit=${submit((form) => reply(numbersOf(form)))}>
    <div class="options share">${question.options.map((option) => html`<label for="share-${option.id}" data-refs=${option.refs.join(" ")}><span>${option.label}</span> ${option.note ? html`<span class="note">${option.note}</span>` : nothing}</label>
      <input id="share-${option.id}" name=${option.id} type="number" min="0" max=${question.caps[option.id] ?? 0} value=${first[option.id] ?? 0} required inputmode="numeric">
      <span class="muted small">≤ ${question.caps[option.id] ?? 0}</span>`)}</div>
    <div class="row"><button class="primary">${text.done}</button><output class="muted" aria-live="polite">${text.shared(question.total, question.total)}</output></div></form>`;
}

/** What the server would take by itself: each filled to its cap in turn. @param {Allocate} question */
export function fillFromTop({ options, caps, total }) {
  let left = total;
  return Object.fromEntries(options.map(({ id }) => {
    const share = Math.min(left, caps[id] ?? 0);
    left -= share;
    return [id, share];
  }));
}

/** @param {HTMLFormElement} form @param {Allocate} question */
function count(form, { total }) {
  const sum = Object.values(numbersOf(form)).reduce((all, share) => all + share, 0);
  const output = form.querySelector("output");
  const button = form.querySelector("button");
  if (output) output.value = text.shared(sum, total);
  if (button) button.disabled = sum !== total;
}

/** @param {Guess} question @param {Reply} reply */
const guess = (question, reply) => html`<form class="fields" @submit=${submit((form) => reply(Math.round(numbersOf(form)["guess"] ?? question.least)))}>
  ${number("guess", text.guessLabel(question.unit), "", { step: "1", min: question.least, max: question.most })}
  <button class="primary">${text.done}</button><span class="muted">${text.guess(question.least, question.most, question.unit)}</span></form>`;

/** @param {string} name @param {string} label @param {string} value @param {{step: string, min?: number, max?: number}} how */
const number = (name, label, value, { step, min, max }) => html`<label><span>${label}</span>
  <input type="number" name=${name} value=${value} step=${step} min=${min ?? ""} max=${max ?? ""} required inputmode="decimal"></label>`;

/** A key pressed outside of a field: yes, no, or the number of an option. @param {State} state @param {Acts} acts @param {string} key */
export function answerByKey(state, acts, key) {
  const asked = askedOf(state);
  if (!asked) return false;
  const [id, question] = asked;
  if (question.kind === "confirm" && (key === "y" || key === "n")) acts.answer(id, key === "y");
  else if (question.kind === "choose" && /^[1-9]$/.test(key) && question.options[Number(key) - 1]) acts.answer(id, question.options[Number(key) - 1]?.id);
  else return false;
  return true;
}
