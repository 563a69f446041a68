// The Army tab: every unit and model as a list that can be walked, moved and set without a mouse; and free play.
/** @import { Model, Seat, Table, Unit } from "../net/types" */
/** @import { Meta, State } from "../state/types" */
/** @import { Acts } from "./acts.js" */
import { html, nothing } from "lit-html";
import { keyed } from "lit-html/directives/keyed.js";
import { SEATS, groupName, inches, isSeat, modelName, personName, rival, roundInches, seatMark, shownTable, statusText } from "./names.js";
import { along, bearingOf, numbersOf, submit } from "./parts.js";
import { text } from "./text.js";

/** @param {State} state @param {Acts} acts */
export function rosterPanel(state, acts) {
  const table = shownTable(state);
  if (!table) return html`<p class="muted pad">${text.emptyTable}</p>`;
  const first = isSeat(state.role) ? state.role : "south";
  const mine = isSeat(state.role) && state.cursor === null && !Object.keys(state.standing.questions).length;
  return html`<div class="roster">
    ${[first, rival(first)].map((seat) => side(state, acts, table, seat))}
    ${mine && isSeat(state.role) ? freePlay(state, acts, table, state.role) : nothing}</div>`;
}

/** @param {State} state @param {Acts} acts @param {Table} table @param {Seat} seat */
function side(state, acts, table, seat) {
  const units = unitsOf(table, seat);
  return html`<section aria-label=${text.side[seat]}><h3 class=${seat}>${seatMark(seat)} ${personName(state.crowd, seat)} <span class="muted small">${text.side[seat]}</span></h3>
    ${units.length ? nothing : html`<p class="muted">${text.army.none}</p>`}
    ${units.map(([unit, models]) => unitView(state, acts, table, unit, models))}
    ${removedView(state, acts, table, seat)}</section>`;
}

/** @param {Table} table @param {Seat} seat @returns {[Unit, Model[]][]} */
export function unitsOf(table, seat) {
  /** @type {Map<string, Model[]>} */
  const members = new Map();
  for (const model of Object.values(table.models)) {
    if (model.owner === seat) members.set(model.unit, [...(members.get(model.unit) ?? []), model]);
  }
  return [...members].map(([id, models]) => /** @type {[Unit, Model[]]} */ ([
    table.units[id] ?? { id, owner: seat, label: id, status: {}, seen_by: null }, models.sort((a, b) => (a.id < b.id ? -1 : 1))]));
}

/** @param {State} state @param {Acts} acts @param {Table} table @param {Unit} unit @param {Model[]} models */
function unitView(state, acts, table, unit, models) {
  const chosen = models.filter((model) => state.selection.includes(model.id));
  const set = shownStatuses(state.meta, unit.status);
  return html`<details ?open=${chosen.length > 0}>
    <summary><b>${unit.label || groupName(table, models.map((model) => model.id))}</b> <span class="muted">${text.army.models(models.length)}${set ? ` · ${set}` : ""}</span></summary>
    ${models.length > 1 ? html`<button class="quiet" @click=${() => acts.select(models.map((model) => model.id))}>${text.moveUnit}</button>` : nothing}
    <ul>${models.map((model) => html`<li><button aria-pressed=${chosen.includes(model)} data-refs=${model.id} @click=${() => acts.select([model.id])}>
      <span>${modelName(table, model)}</span><span class="muted small">${[shownStatuses(state.meta, model.status), `${inches(model.pose.x)}, ${inches(model.pose.y)}`].filter(Boolean).join(" · ")}</span></button></li>`)}</ul>
    ${chosen[0] && state.cursor === null && state.role === unit.owner ? keyed(chosen.map((model) => model.id).join(), modelForms(state, acts, table, chosen)) : nothing}
  </details>`;
}

/** @param {Meta | null} meta @param {Record<string, number | string | boolean>} status */
const shownStatuses = (meta, status) => Object.entries(status)
  .filter(([key, value]) => value && meta?.statuses.some((kind) => kind.key === key && kind.shown !== "hidden"))
  .map(([key, value]) => statusText(meta, key, value)).join(", ");

/** @param {State} state @param {Acts} acts @param {Table} table @param {Model[]} models */
function modelForms(state, acts, table, models) {
  const ids = models.map((model) => model.id);
  const left = Math.min(...ids.map((id) => state.standing.offers.find((offer) => offer.action === "move")?.limits[id] ?? Infinity));
  const [first] = models;
  if (!first) return nothing;
  return html`<div class="form">
    <form class="fields" @submit=${submit((form) => walk(acts, models, form))}>
      ${field("distance", text.distance, "0", { step: "0.01", min: 0 })}${field("bearing", text.bearing, String(first.pose.facing / 100), { step: "0.01" })}
      ${models.length === 1 ? field("facing", text.facing, String(first.pose.facing / 100), { step: "0.01" }) : nothing}
      <label class="check"><input type="checkbox" name="free" value="1" ?checked=${!Number.isFinite(left)}><span>${text.moveFree}</span></label>
      <button>${text.move}</button>
      ${Number.isFinite(left) ? html`<span class="muted small">${text.moveLimit(roundInches(left))}</span>` : nothing}</form>
    ${models.length === 1 ? statusForm(state, acts, table, first) : nothing}
    <div class="row"><button class="quiet" @click=${() => acts.act("remove", "", { models: ids })}>${text.remove}</button></div></div>`;
}

/** @param {string} name @param {string} label @param {string} value @param {{step?: string, min?: number, max?: number}} [how] */
const field = (name, label, value, { step = "1", min, max } = {}) => html`<label><span>${label}</span>
  <input type="number" name=${name} value=${value} step=${step} min=${min ?? ""} max=${max ?? ""} required inputmode="decimal"></label>`;

/** @param {Acts} acts @param {Model[]} models @param {HTMLFormElement} form */
function walk(acts, models, form) {
  const { distance = 0, bearing = 0, facing, free } = numbersOf(form);
  acts.act(free ? "free_move" : "move", "", { moves: movesBy(models, distance, bearing, facing) });
}

/** @param {Model[]} models @param {number} distance @param {number} bearing @param {number} [facing] */
export function movesBy(models, distance, bearing, facing) {
  const by = along(distance, bearing);
  return models.map(({ id, pose }) => ({
    model: id, via: [],
    pose: { ...pose, x: pose.x + by.x, y: pose.y + by.y, facing: facing === undefined ? pose.facing : bearingOf(facing) },
  }));
}

/** @param {State} state @param {Acts} acts @param {Table} table @param {Model} model */
function statusForm(state, acts, table, model) {
  const kinds = (state.meta?.statuses ?? []).filter((kind) => kind.manual);
  if (!kinds.length) return nothing;
  const now = (/** @type {typeof kinds[number]} */ kind) => (kind.of === "model" ? model : table.units[model.unit])?.status[kind.key];
  return html`<form class="fields" @submit=${submit((form) => setStatus(state, acts, model, form))}>
    <label><span>${text.status}</span><select name="key">${kinds.map((kind) => html`<option value="${kind.of}:${kind.key}">${kind.label}${now(kind) ? ` (${now(kind) === true ? text.yes : now(kind)})` : ""}</option>`)}</select></label>
    <label><span>${text.value}</span><input name="value" size="6" placeholder=${`1, ${text.no.toLowerCase()}`} maxlength="80"></label>
    <button>${text.set}</button></form>`;
}

/** @param {State} state @param {Acts} acts @param {Model} model @param {HTMLFormElement} form */
function setStatus(state, acts, model, form) {
  const data = new FormData(form);
  const [of, key] = String(data.get("key")).split(":");
  const kind = state.meta?.statuses.find((one) => one.key === key && one.of === of);
  if (!kind || !key) return;
  const value = statusValue(kind.type, String(data.get("value") ?? ""));
  if (of === "unit") acts.act("set_unit_status", "", { unit: model.unit, key, value });
  else acts.act("set_status", "", { model: model.id, key, value });
}

/** What was typed, as the kind of status takes it; nothing takes it away. @param {"flag" | "number" | "text"} type @param {string} typed */
export function statusValue(type, typed) {
  const word = typed.trim();
  if (type === "flag") return /^(|1|yes|y|true|on|ja)$/i.test(word) ? true : null;
  if (word === "" || /^(no|none)$/i.test(word)) return null;
  return type === "number" ? Math.trunc(Number(word)) || 0 : word;
}

/** @param {State} state @param {Acts} acts @param {Table} table @param {Seat} seat */
function removedView(state, acts, table, seat) {
  const off = Object.values(table.removed).filter((model) => model.owner === seat);
  if (!off.length) return nothing;
  const may = state.role === seat && state.cursor === null;
  return html`<details><summary class="muted">${text.army.removed}: ${off.length}</summary><ul>${off.map((model) => html`<li class="row">
    <span>${modelName(table, model)}</span>${may ? html`<button class="quiet end" @click=${() => acts.act("restore", "", { models: [model.id] })}>${text.restore}</button>` : nothing}</li>`)}</ul></details>`;
}

/** @param {State} state @param {Acts} acts @param {Table} table @param {Seat} seat */
function freePlay(state, acts, table, seat) {
  return html`<details class="free"><summary><b>${text.free}</b></summary><p class="muted small">${text.freeHelp}</p>
    <form class="fields" @submit=${submit((form) => rollFree(acts, form))}>
      ${field("count", text.count, "1", { min: 1, max: 100 })}${field("sides", text.sides, "6", { min: 2, max: 100 })}
      <label><span>${text.why}</span><input name="why" maxlength="80" size="14"></label><button>${text.roll}</button></form>
    <form class="fields" @submit=${submit((form) => addModels(acts, table, seat, form))}>
      <label><span>${text.add}</span><select name="profile">${profilesOf(state).map((name) => html`<option>${name}</option>`)}</select></label>
      ${field("count", text.count, "1", { min: 1, max: 100 })}${field("x", text.placeX, inches(table.width / 2), { step: "0.01" })}
      ${field("y", text.placeY, inches(seat === "south" ? table.depth / 8 : (7 * table.depth) / 8), { step: "0.01" })}<button>${text.add}</button></form></details>`;
}

/** @param {State} state */
function profilesOf({ opened, meta }) {
  const brought = Object.keys(opened?.profiles ?? {});
  return brought.length ? brought : Object.keys(meta?.cards ?? {});
}

/** @param {Acts} acts @param {HTMLFormElement} form */
function rollFree(acts, form) {
  const data = new FormData(form);
  acts.act("free_roll", "", { sides: Number(data.get("sides")), count: Number(data.get("count")), why: String(data.get("why") ?? "") });
}

/** @param {Acts} acts @param {Table} table @param {Seat} seat @param {HTMLFormElement} form */
function addModels(acts, table, seat, form) {
  const { count = 1, x = 0, y = 0 } = numbersOf(form);
  const at = { x: Math.round(x * 10_000), y: Math.round(y * 10_000) };
  acts.act("add", "", { profile: String(new FormData(form).get("profile")), count, at, facing: seat === "south" ? 0 : 18_000 });
}

export { SEATS };
