// The house rules this battle is played by, and proposing another.
/** @import { Motion } from "../net/types" */
/** @import { State } from "../state/types" */
/** @import { Acts } from "./acts.js" */
import { html, nothing } from "lit-html";
import { isSeat } from "./names.js";
import { submit } from "./parts.js";
import { text } from "./text.js";

/** @typedef {number | string | boolean} Setting */
/** @typedef {{key: string, help: string, default: Setting, values: Setting[], least: number | null, most: number | null}} Choice */

/** What holds now: the options of the opening, and what was agreed since. @param {State} state @returns {Record<string, Setting>} */
export function optionsNow({ opened, log }) {
  const now = /** @type {Record<string, Setting>} */ ({ ...(opened?.options ?? {}) });
  for (const event of log) if (event.kind === "optionset") now[event.key] = event.value;
  return now;
}

/** @param {State} state @param {Acts} acts */
export function houseRules(state, acts) {
  const now = optionsNow(state);
  const choices = /** @type {Choice[]} */ (state.meta?.["options"] ?? []);
  const may = isSeat(state.role) && state.cursor === null && state.standing.motion === null && !Object.keys(state.standing.questions).length;
  return html`<h2>${text.house.title}</h2><p class="muted small">${text.house.help}</p>
    ${choices.map((choice) => html`<form class="house" @submit=${submit((form) => propose(acts, choice, form))}>
      <div><b>${settingName(choice.key)}</b><p class="muted small">${choice.help}</p></div>
      ${may ? html`${field(choice, now[choice.key] ?? choice.default)}<button>${text.house.propose}</button>` : html`<span>${words(now[choice.key] ?? choice.default)}</span>`}</form>`)}
    ${choices.length ? nothing : Object.entries(now).map(([key, value]) => html`<p>${settingName(key)}: ${words(value)}</p>`)}`;
}

/** What a setting is called. @param {string} key */
export function settingName(key) {
  const name = key.replace(/_mm$/, ", mm").replaceAll("_", " ").replace(/\blos\b/, "line of sight").replace(/\b3d\b/, "in 3D");
  return `${name[0]?.toUpperCase()}${name.slice(1)}`;
}

/** @param {Setting} value */
export const words = (value) => (value === true ? text.yes : value === false ? text.no : String(value).replaceAll("_", " "));

/** @param {Choice} choice @param {Setting} now */
const field = ({ key, values, least, most }, now) => (values.length
  ? html`<select name="value" aria-label=${settingName(key)}>${values.map((value) => html`<option value=${JSON.stringify(value)} ?selected=${value === now}>${words(value)}</option>`)}</select>`
  : html`<input name="value" type="number" aria-label=${settingName(key)} min=${least ?? ""} max=${most ?? ""} value=${String(now)} required>`);

/** @param {Acts} acts @param {Choice} choice @param {HTMLFormElement} form */
function propose(acts, { key }, form) {
  const value = /** @type {Setting} */ (JSON.parse(String(new FormData(form).get("value"))));
  acts.propose(/** @type {Motion} */ ({ motion: "option", key, value }));
  acts.show({ dialog: null });
}
