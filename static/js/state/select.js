// What can be read off the state: who may do what, with what, and what is lit or barred just now.
/** @import { AnyQuestion, Barred, Length, Model, Offer, Option, Reach, Seat } from "../net/types" */
/** @import { State } from "./types" */

/** @param {State} state @returns {Seat | null} */
export const seatOf = (state) => (state.role === "south" || state.role === "north" ? state.role : null);

/** Whether the table is live and nothing is replayed. @param {State} state */
export const isLive = (state) => state.cursor === null && !state.standing.frozen;

/** The offer of an action, if it stands. @param {State} state @param {string} action */
export const offerOf = (state, action) => state.standing.offers.find((offer) => offer.action === action) ?? null;

/** @param {State} state @param {string} model */
export const offersFor = (state, model) => state.standing.offers.filter((offer) => !offer.manual && offer.models.includes(model));

/** Why a model may not do something now. @param {State} state @param {string} model @returns {{offer: Offer, barred: Barred}[]} */
export const barredFor = (state, model) =>
  state.standing.offers.flatMap((offer) => offer.barred.filter((barred) => barred.id === model).map((barred) => ({ offer, barred })));

/** How far a model may still move; null without a limit. @param {State} state @param {string} model @returns {Length | null} */
export const limitOf = (state, model) => offerOf(state, "move")?.limits[model] ?? null;

/** How a drag of these models would be sent: under the rules, freely, or not at all. @param {State} state @param {readonly string[]} models */
export function wayToMove(state, models) {
  const seat = seatOf(state);
  if (!isLive(state) || !seat || !models.length) return null;
  const move = offerOf(state, "move");
  if (!state.free && move && models.every((id) => move.models.includes(id))) return /** @type {const} */ ("move");
  return state.free && offerOf(state, "free_move") ? /** @type {const} */ ("free_move") : null;
}

/** @param {State} state @param {string} model a sentence that says why it cannot be moved */
export function whyStuck(state, model) {
  const found = state.shown?.models[model];
  if (!seatOf(state)) return "You are watching; only the players move models.";
  if (state.cursor !== null) return "This is the past. Go back to the present to move models.";
  if (state.standing.frozen) return state.standing.frozen;
  const barred = offerOf(state, "move")?.barred.find((one) => one.id === model);
  if (barred) return barred.why;
  if (Object.keys(state.standing.questions).length) return "The table waits for an answer first.";
  if (!offerOf(state, "move")) return phaseMoves(state) ? "It is the other side's turn to move." : "Models do not move in this phase. Free play moves them without the rules.";
  if (found && found.owner !== seatOf(state)) return "That is the other side's. Free play moves it without the rules.";
  return "This model may not move now. Free play moves it without the rules.";
}

/** @param {State} state */
const phaseMoves = (state) => state.meta?.phases.find((phase) => phase.id === state.table?.clock.phase)?.moves ?? false;

/** The question this page has to answer: its number and itself. @param {State} state @returns {{id: number, question: AnyQuestion} | null} */
export function ownQuestion(state) {
  if (!isLive(state)) return null;
  for (const [id, question] of Object.entries(state.standing.questions)) if (question.to === state.role) return { id: Number(id), question };
  return null;
}

/** Whom the table waits for, other than this page. @param {State} state @returns {AnyQuestion | null} */
export const othersQuestion = (state) => Object.values(state.standing.questions).find((question) => question.to !== state.role) ?? null;

/** What can be picked on the table: thing to option. @param {AnyQuestion | null} question @returns {Map<string, Option>} */
export function pickable(question) {
  /** @type {Map<string, Option>} */
  const found = new Map();
  if (!question || !("options" in question)) return found;
  for (const option of question.options) for (const thing of [option.id, ...option.refs]) if (!found.has(thing)) found.set(thing, option);
  return found;
}

/** What may not be picked, and why. @param {AnyQuestion | null} question @returns {Map<string, Barred>} */
export const barredBy = (question) => new Map(question?.kind === "choose" ? question.barred.map((barred) => [barred.id, barred]) : []);

/** The question that the table shows: the pending one, or the one that the selected shooter would be asked. @param {State} state @returns {AnyQuestion | null} */
export function shownQuestion(state) {
  const own = ownQuestion(state);
  if (own) return own.question;
  if (Object.keys(state.standing.questions).length) return othersQuestion(state);
  const [only, more] = state.selection;
  if (!only || more || !state.forecast?.key.endsWith(`:${only}`)) return null;
  return state.forecast.result.asks;
}

/** The range band and arc to draw, and whose it is. @param {State} state @returns {{reach: Reach, by: Model | null} | null} */
export function shownReach(state) {
  const question = shownQuestion(state);
  if (question && (question.kind === "choose" || question.kind === "place") && question.reach) return { reach: question.reach, by: shooterOf(state, question) };
  const [only, more] = state.selection;
  if (!only || more) return null;
  const offer = state.standing.offers.find((one) => one.reach[only]);
  const reach = offer?.reach[only];
  return reach ? { reach, by: state.shown?.models[only] ?? null } : null;
}

/** Who a question speaks of: the first of its refs that stands on the table, else what is selected. @param {State} state @param {AnyQuestion} question */
export function shooterOf(state, question) {
  const models = state.shown?.models ?? {};
  const id = [...question.refs, ...state.selection].find((ref) => ref in models);
  return id ? (models[id] ?? null) : null;
}

/** @param {State} state @param {string} unit @returns {Model[]} */
export const members = (state, unit) => Object.values(state.shown?.models ?? {}).filter((model) => model.unit === unit);

/** A model's name for people: its own, or its unit's. @param {State} state @param {string} id */
export function nameOf(state, id) {
  const table = state.shown ?? state.table;
  const model = table?.models[id] ?? table?.removed[id];
  if (!model) return table?.units[id]?.label ?? table?.terrain[id]?.label ?? id;
  return model.label || table?.units[model.unit]?.label || model.profile;
}

/** Where the last thing happened. @param {State} state @returns {{x: number, y: number}[]} */
export function scene(state) {
  const table = state.shown;
  if (!table) return [];
  const refs = new Set(state.selection);
  for (const event of state.log.slice(-40).reverse()) {
    if (refs.size) break;
    for (const id of spoken(event)) refs.add(id);
  }
  const models = [...refs].flatMap((id) => (table.models[id] ? [table.models[id].pose] : []));
  return [...models, ...Object.values(table.templates).map((template) => template.centre)];
}

/** The models an event speaks of. @param {import("../net/types").WireEvent} event @returns {string[]} */
export function spoken(event) {
  switch (event.kind) {
    case "started":
      return event.subject ? [event.subject] : [];
    case "rolled":
    case "noted":
      return event.refs;
    case "asked":
      return event.question.refs;
    case "changed":
      return changedBy(event.fact);
    default:
      return [];
  }
}

/** @param {import("../net/types").Fact} fact @returns {string[]} */
function changedBy(fact) {
  switch (fact.fact) {
    case "models_moved":
      return fact.moves.map((move) => move.model);
    case "models_placed":
      return fact.models.map((model) => model.id);
    case "models_removed":
      return fact.models;
    case "status_set":
      return [fact.model];
    case "statuses_set":
      return Object.keys(fact.values);
    default:
      return [];
  }
}
