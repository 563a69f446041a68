// The left panel: what is selected, what it can do and why not, and the odds of its shot.
/** @import { Forecast, Model, Offer, Table } from "../net/types" */
/** @import { Meta, State } from "../state/types" */
/** @import { Acts } from "./acts.js" */
import { html, nothing } from "lit-html";
import { groupName, inches, isSeat, modelName, modelOf, percent, seatMark, shownTable, statusLabel, thingName } from "./names.js";
import { ruleChip } from "./parts.js";
import { text } from "./text.js";

/** @param {State} state @param {Acts} acts */
export function selectedPanel(state, acts) {
  const table = shownTable(state);
  const models = state.selection.flatMap((id) => table?.models[id] ?? []);
  const [model] = models;
  if (!table || !model) return html`<p class="muted">${text.nothingSelected}</p>${undoButton(state, acts)}`;
  return html`
    <section class="selected stack" aria-label=${text.selected}>
      <div><div class="muted small">${text.selected}</div>
        <h2>${seatMark(model.owner)} ${models.length > 1 ? groupName(table, models.map((one) => one.id)) : modelName(table, model)}</h2></div>
      ${models.length > 1 ? html`<p class="muted">${text.severalSelected(models.length)}</p>` : card(state, model)}
      ${badges(state.meta, table, model)}
    </section>
    ${offerList(state, acts, models)}
    ${oddsView(state, acts, model)}
    ${undoButton(state, acts)}`;
}

/** The characteristics of a profile: from the game's own profiles if it brought some. @param {State} state @param {Model} model */
function card(state, model) {
  const rows = state.meta?.cards[model.profile] ?? ownCard(state.opened?.profiles[model.profile]);
  return html`<table><tbody>
    ${rows.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}
    ${pips(state.meta, model).map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}
  </tbody></table>`;
}

/** @param {unknown} profile @returns {[string, string][]} */
function ownCard(profile) {
  if (!profile || typeof profile !== "object") return [];
  return Object.entries(profile).filter(([, value]) => typeof value !== "object" && value !== "").slice(0, 12)
    .map(([key, value]) => [key.replaceAll("_", " "), key === "movement" ? `${inches(Number(value))} in` : String(value)]);
}

/** @param {Meta | null} meta @param {Model} model */
function pips(meta, model) {
  return (meta?.statuses ?? []).filter((status) => status.shown === "pips" && status.of === "model" && Number(model.status[status.key] ?? 0) > 0)
    .map((status) => [status.label, pipText(Number(model.status[status.key]))]);
}

/** @param {number} n */
const pipText = (n) => html`<span class="pips" role="img" aria-label=${n}>${n > 6 ? `${n} ●` : "●".repeat(n)}</span>`;

/** @param {Meta | null} meta @param {Table} table @param {Model} model */
function badges(meta, table, model) {
  const own = Object.entries(model.status).filter(([key, value]) => value && isBadge(meta, key));
  const unit = Object.entries(table.units[model.unit]?.status ?? {}).filter(([key, value]) => value && isBadge(meta, key));
  const all = [...own, ...unit];
  if (!all.length) return nothing;
  return html`<div class="badges">${all.map(([key, value]) => html`<span class="badge">${statusLabel(meta, key)}${value === true ? "" : ` ${value}`}</span>`)}</div>`;
}

/** @param {Meta | null} meta @param {string} key */
const isBadge = (meta, key) => meta?.statuses.some((status) => status.key === key && status.shown === "badge") ?? false;

/** The offers of the rules for these models, in the order of their number keys. @param {State} state @param {readonly {id: string}[]} models */
export function offersFor(state, models) {
  if (state.cursor !== null) return [];
  const ids = new Set(models.map((model) => model.id));
  return state.standing.offers.filter((offer) => !offer.manual && !CORE.has(offer.action) && offer.models.some((id) => ids.has(id)));
}

/** Moving is dragging and has its own form; ending the phase has its own button. */
const CORE = new Set(["move", "pass"]);

/** @param {State} state @param {Acts} acts @param {Model[]} models */
function offerList(state, acts, models) {
  const [model] = models;
  if (!model || !isSeat(state.role) || state.cursor !== null || Object.keys(state.standing.questions).length) return nothing;
  if (model.owner !== state.role) return html`<p class="muted">${text.notYours}</p>`;
  const offers = offersFor(state, models);
  const why = whyNot(state, model);
  return html`<section class="offers" aria-label=${text.offers}>
    ${offers.map((offer, place) => html`<button class=${place ? "" : "primary"} @click=${() => start(acts, offer, models)}>
      <span>${offer.label}</span>${place < 9 ? html`<kbd>${place + 1}</kbd>` : nothing}</button>`)}
    ${offers.length || why.length ? nothing : html`<p class="muted">${text.offersNone}</p>`}
    ${why.length ? html`<ul class="why" aria-label=${text.whyNot}>${why.map(({ offer, barred }) =>
      html`<li><b>${offer.label}:</b> ${barred.why} ${ruleChip(barred.rule)}</li>`)}</ul>` : nothing}
  </section>`;
}

/** Where the side panel is a drawer, what the selected model can do stands over the table. @param {State} state @param {Acts} acts */
export function offerBar(state, acts) {
  const models = state.selection.flatMap((id) => state.table?.models[id] ?? []);
  const offers = models.length && models[0]?.owner === state.role ? offersFor(state, models) : [];
  if (!offers.length || !state.table || !models[0]) return nothing;
  const [model] = models;
  return html`<section class="prompt bar" aria-label=${text.offers}><div class="row"><b>${modelName(state.table, model)}</b>
    ${offers.map((offer, place) => html`<button class=${place ? "" : "primary"} @click=${() => start(acts, offer, models)}>${offer.label}</button>`)}</div></section>`;
}

/** @param {State} state @param {Model} model */
function whyNot(state, model) {
  return state.standing.offers.filter((offer) => !offer.manual).flatMap((offer) =>
    offer.barred.filter((barred) => barred.id === model.id || barred.id === model.unit).map((barred) => ({ offer, barred })));
}

/** @param {Acts} acts @param {Offer} offer @param {readonly {id: string}[]} models */
export function start(acts, offer, models) {
  const subject = models.find((model) => offer.models.includes(model.id))?.id ?? "";
  acts.act(offer.action, subject);
}

/** @param {State} state @param {Acts} acts @param {Model} model */
function oddsView(state, acts, model) {
  const offer = offersFor(state, [model])[0];
  const known = state.forecast && state.forecast.key.includes(model.id) ? state.forecast.result : null;
  const pending = Object.keys(state.standing.questions).length && state.forecast ? state.forecast.result : null;
  const forecast = known ?? pending;
  if (forecast?.trials) return oddsTable(state, forecast, model);
  if (!offer || state.role !== model.owner) return nothing;
  return html`<button class="quiet" @click=${() => askOdds(acts, offer, model)}>${text.oddsAsk}</button>`;
}

/** @param {Acts} acts @param {Offer} offer @param {Model} model */
async function askOdds(acts, offer, model) {
  const reply = await acts.odds({ action: offer.action, subject: model.id });
  if (reply.ok) acts.forecast({ key: `${offer.action}:${model.id}`, result: reply.forecast });
  else acts.notice(reply.error.message, "warn", reply.error.rule);
}

/** @param {State} state @param {Forecast} forecast @param {Model} model */
function oddsTable(state, forecast, model) {
  const { outcomes, expected } = forecast;
  const own = (expected.own_hits ?? 0) / 1000;
  return html`<section aria-label=${text.odds}><div class="muted small">${text.odds}</div><table><tbody>
    ${outcomes.map(({ label, chance }) => html`<tr><th scope="row">${label}</th><td>${percent(chance)}</td></tr>`)}
    <tr><th scope="row">${text.expectedHits}</th><td>${((expected.hits ?? 0) / 1000).toFixed(1)}</td></tr>
    <tr><th scope="row">${text.expectedLost}</th><td>${((expected.lost ?? 0) / 1000).toFixed(1)}</td></tr>
    <tr class=${own > 0.004 ? "bad" : ""}><th scope="row" class=${own > 0.004 ? "bad" : ""}>${text.ownHit}</th><td>${own.toFixed(2)}</td></tr>
    ${likeliest(state, forecast, model)}
  </tbody></table><p class="muted small">${text.oddsSamples(forecast.trials)}</p></section>`;
}

/** The units that are hit most, each by the chance of its likeliest model. @param {State} state @param {Forecast} forecast @param {Model} model */
function likeliest(state, forecast, model) {
  /** @type {Map<string, {chance: number, ids: string[]}>} */
  const units = new Map();
  for (const [id, chance] of Object.entries(forecast.hits)) {
    if (id === model.id || chance <= 0) continue;
    const unit = modelOf(state.table, id)?.unit ?? id;
    const known = units.get(unit) ?? { chance: 0, ids: [] };
    units.set(unit, { chance: Math.max(known.chance, chance), ids: [...known.ids, id] });
  }
  const top = [...units].sort((a, b) => b[1].chance - a[1].chance).slice(0, 4);
  return top.map(([unit, { chance, ids }]) => html`<tr data-refs=${ids.join(" ")}><th scope="row">${thingName(state.table, unit)}</th><td>${text.chance(percent(chance))}</td></tr>`);
}

/** @param {State} state @param {Acts} acts */
function undoButton(state, acts) {
  const { undo } = state.standing;
  if (!isSeat(state.role) || state.cursor !== null || state.standing.motion !== null || state.standing.frozen) return nothing;
  const to = undo ?? lastAction(state);
  if (to === null) return nothing;
  return html`<button class="quiet" @click=${() => acts.propose({ motion: "undo", to })}><span>${undo === null ? text.askUndo : text.undo}</span><kbd>Ctrl Z</kbd></button>`;
}

/** The last action that still counts: what an undo by consent would go back to. @param {State} state @returns {number | null} */
export function lastAction({ log }) {
  let cut = Infinity;
  for (let place = log.length - 1; place >= 0; place -= 1) {
    const event = log[place];
    if (!event) continue;
    if ((event.kind === "rewound" || event.kind === "failed") && event.seq < cut) cut = event.to;
    else if (event.kind === "started" && event.seq < cut) return event.seq;
  }
  return null;
}
