// Help, settings and links: what opens over the table and is closed with Escape.
/** @import { State } from "../state/types" */
/** @import { Acts } from "./acts.js" */
import { html, nothing } from "lit-html";
import { keyed } from "lit-html/directives/keyed.js";
import { ref } from "lit-html/directives/ref.js";
import { device } from "../net/token.js";
import { houseRules } from "./house.js";
import { linksDialog } from "./invite.js";
import { submit } from "./parts.js";
import { text } from "./text.js";

/** @type {Record<string, {title: string, view: (state: State, acts: Acts) => unknown}>} */
const DIALOGS = {
  help: { title: text.help.title, view: help },
  house: { title: text.house.title, view: houseRules },
  settings: { title: text.settings.title, view: settings },
  links: { title: text.invite.links, view: linksDialog },
};

/** @param {State} state @param {Acts} acts */
export function dialogs(state, acts) {
  const name = String(state.show["dialog"] ?? "");
  const dialog = DIALOGS[name];
  if (!dialog) return nothing;
  return keyed(name, html`<dialog aria-label=${dialog.title} ${ref(open)} @close=${() => acts.show({ dialog: null })}>
    <div class="stack">${dialog.view(state, acts)}
      <form method="dialog"><button class="primary">${text.close}</button></form></div></dialog>`);
}

/** @param {Element | undefined} element */
function open(element) {
  if (element instanceof HTMLDialogElement && !element.open) queueMicrotask(() => element.isConnected && !element.open && element.showModal());
}

/** @param {State} state @param {Acts} acts */
function help(state, acts) {
  return html`<h2>${text.help.title}</h2>
    <dl class="dlgrow">${text.help.keys.map(([key, does]) => html`<dt><kbd>${key}</kbd></dt><dd>${does}</dd>`)}</dl>
    <h3>${text.help.dice}</h3><p>${text.help.diceText} <a href="/verify">${text.replay.verify}</a></p>
    ${state.opened ? html`<button @click=${() => acts.show({ dialog: "house" })}>${text.house.title}</button>` : nothing}`;
}

/** @param {State} state @param {Acts} acts */
function settings(state, acts) {
  const size = device.get("linstock:text") ?? "normal";
  const { speed, grid, unit, rings, motion } = state.settings;
  const now = !motion ? "none" : speed < 1 ? "slow" : speed > 1 ? "fast" : "normal";
  return html`<h2>${text.settings.title}</h2>
    ${choice(text.settings.text, "text", text.settings.sizes, size, (value) => { device.set("linstock:text", value); applyTextSize(); })}
    ${choice(text.settings.speed, "speed", text.settings.speeds, now, (value) => change(state, acts, SPEEDS[value] ?? {}))}
    ${choice(text.settings.unit, "unit", { in: text.settings.inches, cm: text.settings.cm }, unit, (value) => change(state, acts, { unit: value === "cm" ? "cm" : "in" }))}
    <label class="check"><input type="checkbox" .checked=${grid} @change=${() => change(state, acts, { grid: !grid })}><span>${text.settings.grid}</span></label>
    <form class="fields" @submit=${submit((form) => change(state, acts, { rings: ringsOf(String(new FormData(form).get("rings"))) }))}>
      <label><span>${text.settings.rings}</span><input name="rings" value=${rings.map((ring) => ring / 10_000).join(", ")} placeholder="3, 8"></label><button>${text.set}</button></form>
    <p class="muted small">${text.settings.note}</p>`;
}

/** @type {Record<string, Partial<State["settings"]>>} */
const SPEEDS = { slow: { speed: 0.5, motion: true }, normal: { speed: 1, motion: true }, fast: { speed: 2, motion: true }, none: { speed: 1, motion: false } };

/** @param {string} typed */
export const ringsOf = (typed) => typed.split(/[,;\s]+/).map(Number).filter((inches) => inches > 0 && inches <= 120).slice(0, 4).map((inches) => Math.round(inches * 10_000));

/** @param {string} label @param {string} name @param {Record<string, string>} options @param {string} now @param {(value: string) => void} then */
const choice = (label, name, options, now, then) => html`<fieldset><legend>${label}</legend><div class="row">
  ${Object.entries(options).map(([value, words]) => html`<label class="check"><input type="radio" name=${name} value=${value} ?checked=${value === now} @change=${() => then(value)}><span>${words}</span></label>`)}</div></fieldset>`;

/** @param {State} state @param {Acts} acts @param {Partial<State["settings"]>} patch */
function change(state, acts, patch) {
  acts.settings(patch);
  device.set("linstock:settings", JSON.stringify({ ...state.settings, ...patch }));
}

export function applyTextSize() {
  document.documentElement.dataset["text"] = device.get("linstock:text") ?? "normal";
}

/** What was chosen earlier; who asked the system for calm gets calm unless they chose otherwise. @returns {Partial<State["settings"]>} */
export function keptSettings() {
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches ? { motion: false } : {};
  try {
    return { ...calm, ...JSON.parse(device.get("linstock:settings") ?? "{}") };
  } catch {
    return calm;
  }
}
