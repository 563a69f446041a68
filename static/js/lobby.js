// The first page: start a battle, go on with one, watch one.
/** @import { Role, Seat } from "./net/types" */
/** @import { Upload } from "./lobby/armies.js" */
import { html, nothing, render } from "lit-html";
import { keyed } from "lit-html/directives/keyed.js";
import { armyField, orderedArmy, readArmy } from "./lobby/armies.js";
import { words } from "./lobby/words.js";
import { fetchJson } from "./net/http.js";
import { device, keepLinks, keepMix, newMix, sealed } from "./net/token.js";
import { applyTextSize } from "./panels/dialogs.js";
import { settingName, words as settingWords } from "./panels/house.js";
import { forget, linkTo, myGames, remember } from "./panels/mygames.js";
import { SEATS, isSeat, seatMark } from "./panels/names.js";
import { submit } from "./panels/parts.js";
import { text } from "./panels/text.js";

/** @typedef {number | string | boolean} Setting */
/** @typedef {{key: string, help: string, default: Setting, values: Setting[], least: number | null, most: number | null}} Choice */
/** @typedef {{id: string, name: string, summary: string, models: number, width: number, depth: number}} Scenario */
/** @typedef {{id: string, name: string, summary: string, scenarios: Scenario[], options: Choice[], profiles: string[]}} System */
/** @typedef {{game: string, title: string, system: string, round: number, people: string[], watching: number, watch: string}} Shown */
/**
 * @typedef {object} View
 * @property {System[] | null} systems null until the server has answered
 * @property {Shown[]} shown
 * @property {string} system
 * @property {Partial<Record<Seat, Upload>>} armies
 * @property {string} error
 * @property {boolean} busy
 * @property {string} forgetting
 */

/** @type {View} */
let view = { systems: null, shown: [], system: "", armies: {}, error: "", busy: false, forgetting: "" };

/** @param {Partial<View>} patch */
function set(patch) {
  view = { ...view, ...patch };
  const root = document.getElementById("lobby");
  if (root) render(page(view), root);
}

/** @param {View} now */
const page = (now) => html`
  <section class="card" id="start" aria-labelledby="start-title"><h2 id="start-title">${words.start}</h2>${startForm(now)}</section>
  <div class="side">
    <section class="card" aria-labelledby="mine-title"><h2 id="mine-title">${words.mine}</h2>${mine(now)}</section>
    <section class="card" aria-labelledby="watch-title"><h2 id="watch-title">${words.watchOpen}</h2>${watchable(now)}</section>
  </div>`;

/** @param {View} now */
function startForm(now) {
  if (now.systems === null) return now.error ? html`<p class="alert" role="alert">${now.error}</p><button @click=${load}>${words.again}</button>` : html`<p class="muted">…</p>`;
  const system = now.systems.find((one) => one.id === now.system) ?? now.systems[0];
  if (!system) return html`<p class="alert">${words.noSystems}</p>`;
  return html`<form class="stack" @submit=${submit((form) => begin(system, form))}>
    <fieldset><legend>${words.system}</legend><div class="cards">${now.systems.map((one) => html`<label class="pick">
      <input type="radio" name="system" value=${one.id} .checked=${one === system} @change=${() => set({ system: one.id, armies: {} })}><b>${one.name}</b><small>${one.summary}</small></label>`)}</div></fieldset>
    ${keyed(system.id, html`<fieldset><legend>${words.scenario}</legend><div class="cards">${system.scenarios.map((one, place) => html`<label class="pick">
      <input type="radio" name="scenario" value=${one.id} ?checked=${place === 0}><b>${one.name}</b><small>${one.summary}</small>
      <small>${words.scenarioFacts(one.models, `${one.width / 10_000} × ${one.depth / 10_000}`)}</small></label>`)}</div></fieldset>`)}
    <div class="row">
      <label class="grow"><span>${words.name}</span><input name="name" required maxlength="40" autocomplete="nickname" value=${device.get("linstock:name") ?? ""}></label>
      <fieldset><legend>${words.side}</legend><div class="row">${SEATS.map((seat, place) => html`<label class="check ${seat}"><input type="radio" name="side" value=${seat} ?checked=${place === 0}>
        <span class=${seat}>${seatMark(seat)} ${text.side[seat]}</span></label>`)}</div></fieldset></div>
    <label class="check"><input type="checkbox" name="hotseat"><span>${words.hotseat}</span></label>
    <label class="check"><input type="checkbox" name="watchable"><span>${words.watchable}</span></label>
    <details class="fold"><summary>${words.armies}</summary><div class="stack"><p class="muted small">${words.armiesHelp}</p>
      ${SEATS.map((seat) => armyField(seat, now.armies[seat], system.profiles, { choose: (file) => upload(system, seat, file), drop: () => putArmy(seat, undefined) }))}</div></details>
    <details class="fold"><summary>${words.options}</summary>${keyed(system.id, html`<div class="settings"><p class="muted small">${words.optionsHelp}</p>
      <label><span>${words.title}</span><input name="title" maxlength="80"></label>${system.options.map(setting)}</div>`)}</details>
    ${now.error ? html`<p class="alert" role="alert">${now.error}</p>` : nothing}
    <button class="primary" ?disabled=${now.busy}>${now.busy ? words.beginning : words.begin}</button></form>`;
}

/** One house rule, as its kind of value asks for. @param {Choice} choice */
function setting({ key, help, default: usual, values, least, most }) {
  const name = `option-${key}`;
  const field = values.length
    ? html`<select name=${name}>${values.map((value) => html`<option value=${JSON.stringify(value)} ?selected=${value === usual}>${settingWords(value)}</option>`)}</select>`
    : html`<input type="number" name=${name} min=${least ?? ""} max=${most ?? ""} value=${String(usual)} required>`;
  return html`<label class="setting"><span>${settingName(key)}</span><small>${help}</small>${field}</label>`;
}

/** The options that differ from the usual ones. @param {System} system @param {FormData} data */
export function optionsOf(system, data) {
  /** @type {Record<string, Setting>} */
  const chosen = {};
  for (const { key, default: usual } of system.options) {
    const typed = data.get(`option-${key}`);
    const value = typed === null || typed === "" ? usual : /** @type {Setting} */ (JSON.parse(String(typed)));
    if (value !== usual) chosen[key] = value;
  }
  return chosen;
}

/** @param {Seat} seat @param {Upload | undefined} army */
const putArmy = (seat, army) => set({ armies: { ...view.armies, [seat]: army } });

/** @param {System} system @param {Seat} seat @param {File} file */
async function upload(system, seat, file) {
  putArmy(seat, { state: "reading" });
  putArmy(seat, await readArmy(system.id, file));
}

/** @param {System} system @param {HTMLFormElement} form */
async function begin(system, form) {
  if (view.busy) return;
  const data = new FormData(form);
  const mix = newMix();
  const name = String(data.get("name")).trim();
  device.set("linstock:name", name);
  set({ busy: true, error: "" });
  try {
    const made = await fetchJson("/api/battles", { body: order(system, data, name, mix) });
    enter(made, system, data, mix);
  } catch (error) {
    set({ busy: false, error: error instanceof Error ? error.message : words.broken });
  }
}

/** @param {System} system @param {FormData} data @param {string} name @param {string} mix */
function order(system, data, name, mix) {
  /** @type {Partial<Record<Seat, unknown[]>>} */
  const armies = {};
  let profiles = {};
  for (const seat of SEATS) {
    const loaded = view.armies[seat];
    if (loaded?.state !== "read") continue;
    const brought = orderedArmy(seat, loaded.army, data);
    armies[seat] = brought.units;
    profiles = { ...profiles, ...brought.profiles };
  }
  return {
    system: system.id, scenario: data.get("scenario"), title: data.get("title") ?? "", options: optionsOf(system, data), name, mix: sealed(mix),
    side: data.get("side"), hotseat: data.has("hotseat"), watchable: data.has("watchable"), armies, profiles,
  };
}

/** Keep the links and sit down. @param {{game: string, seats: Record<Seat, string>, watch: string, codes?: Record<string, string[]>}} made
 * @param {System} system @param {FormData} data @param {string} mix */
function enter({ game, seats, watch, codes }, system, data, mix) {
  const side = data.get("side") === "north" ? "north" : "south";
  const hotseat = data.has("hotseat");
  keepLinks(game, { ...seats, watch });
  for (const seat of SEATS) if (seat === side || hotseat) keepMix(game, seat, mix);
  remember(game, { title: String(data.get("title") ?? ""), system: system.name, hotseat, ...(codes ? { codes } : {}) });
  location.assign(linkTo(game, seats[side]));
}

/** @param {View} now */
function mine(now) {
  const games = myGames();
  if (!games.length) return html`<p class="muted">${words.mineNone}</p>`;
  return html`<ul class="games">${games.map(({ game, title, system, at, links }) => html`<li>
    <div><b>${title || game}</b> <span class="muted small">${[system, new Date(at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })].filter(Boolean).join(" · ")}</span></div>
    <div class="row">${links.south || links.north ? nothing : seatLinks(game, { watch: links.watch })}${seatLinks(game, { south: links.south, north: links.north })}
      <a class="button quiet" href="/replay/${game}#${links.watch ?? links.south ?? links.north}">${words.replay}</a>
      <button class="quiet" @click=${() => forgetting(game)}>${now.forgetting === game ? words.forgetSure : words.forget}</button></div></li>`)}</ul>`;
}

/** @param {string} game @param {Partial<Record<Role, string | undefined>>} links */
const seatLinks = (game, links) => /** @type {[Role, string | undefined][]} */ (Object.entries(links)).map(([role, token]) => (token
  ? html`<a class="button" href="/t/${game}#${token}">${isSeat(role) ? html`${seatMark(role)} ${words.sitAs(text.side[role])}` : words.watch}</a>` : nothing));

/** @param {string} game */
function forgetting(game) {
  if (view.forgetting !== game) return set({ forgetting: game });
  forget(game);
  set({ forgetting: "" });
}

/** @param {View} now */
function watchable(now) {
  if (!now.shown.length) return html`<p class="muted">${words.watchNone}</p>`;
  return html`<ul class="games">${now.shown.map((one) => html`<li><div><b>${one.title}</b> <span class="muted small">${words.facts(one.system, one.round, one.watching)}</span></div>
    <div class="row"><span>${one.people.join(" – ") || words.nobody}</span><a class="button end" href="/t/${one.game}#${one.watch}">${words.watch}</a></div></li>`)}</ul>`;
}

async function load() {
  set({ error: "" });
  try {
    const [systems, shown] = await Promise.all([fetchJson("/api/systems"), fetchJson("/api/battles").catch(() => [])]);
    set({ systems, shown });
  } catch {
    set({ error: words.broken });
  }
}

applyTextSize();
document.getElementById("lobby")?.replaceChildren();
set({});
load();
