// An army list from a file: what was recognised, what must be asked, and the units that are sent in the end.
/** @import { Base, Seat } from "../net/types" */
import { html, nothing } from "lit-html";
import { text } from "../panels/text.js";
import { words } from "./words.js";

/**
 * @typedef {object} Listed
 * @property {string} key
 * @property {string} name
 * @property {number} count
 * @property {string[]} gear
 * @property {string} notes
 * @property {string | null} profile
 * @property {string[]} suggestions
 * @property {Base} base
 * @property {Base[]} bases
 * @property {string[]} asks
 * @property {string | null} draft_key
 * @property {Record<string, unknown> | null} draft
 */
/** @typedef {{title: string, models: number, units: Listed[], warnings: string[]}} Army */
/** @typedef {{state: "reading"} | {state: "refused", message: string} | {state: "read", army: Army}} Upload */
/** @typedef {{profile: string, label: string, count: number, wide?: number, base?: Base}} UnitSpec */

/** @param {string} system @param {File} file @returns {Promise<Upload>} */
export async function readArmy(system, file) {
  const address = `/api/armies?system=${encodeURIComponent(system)}&name=${encodeURIComponent(file.name)}`;
  try {
    const response = await fetch(address, { method: "POST", body: file, headers: { "content-type": "application/octet-stream" } });
    const reply = await response.json();
    return response.ok ? { state: "read", army: reply } : { state: "refused", message: reply.error.message };
  } catch {
    return { state: "refused", message: words.broken };
  }
}

/** @param {Base} base */
export function baseName(base) {
  const mm = (/** @type {number} */ size) => String(size / 100);
  if (base.kind === "round") return `${mm(base.diameter)} mm ${words.shape.round}`;
  if (base.kind === "polygon") return words.shape.polygon;
  return `${mm(base.width)} × ${mm(base.length)} mm ${words.shape[base.kind]}`;
}

/** @param {Seat} seat @param {Upload | undefined} upload @param {readonly string[]} profiles
 * @param {{choose: (file: File) => void, drop: () => void}} acts */
export function armyField(seat, upload, profiles, acts) {
  return html`<section class="army" aria-label=${words.armyFor(text.side[seat])}>
    <div class="row"><label class="grow"><span>${words.armyFor(text.side[seat])}</span>
      <input type="file" accept=".json,.txt,.ros,.rosz" @change=${(/** @type {Event} */ event) => chosen(event, acts.choose)}></label>
      ${upload ? html`<button type="button" class="quiet" @click=${acts.drop}>${words.drop}</button>` : nothing}</div>
    ${shown(seat, upload, profiles)}</section>`;
}

/** @param {Event} event @param {(file: File) => void} choose */
function chosen(event, choose) {
  const file = /** @type {HTMLInputElement} */ (event.target).files?.[0];
  if (file) choose(file);
}

/** @param {Seat} seat @param {Upload | undefined} upload @param {readonly string[]} profiles */
function shown(seat, upload, profiles) {
  if (!upload) return nothing;
  if (upload.state === "reading") return html`<p role="status">${words.reading}</p>`;
  if (upload.state === "refused") return html`<p class="alert" role="alert">${upload.message}</p>`;
  const { army } = upload;
  return html`<p><b>${army.title}</b> · ${text.army.models(army.models)}</p>
    ${army.warnings.length ? html`<ul class="hint">${army.warnings.map((warning) => html`<li>${warning}</li>`)}</ul>` : nothing}
    ${army.units.some((unit) => unit.asks.length) ? html`<p class="hint">${words.asks}</p>` : nothing}
    <div class="scroll"><table><thead><tr><th scope="col">${words.unit}</th><th scope="col">${words.count}</th><th scope="col">${words.profile}</th><th scope="col">${words.base}</th></tr></thead>
    <tbody>${army.units.map((unit, place) => unitRow(`${seat}-${place}`, unit, profiles))}</tbody></table></div>`;
}

/** @param {string} id @param {Listed} unit @param {readonly string[]} profiles */
function unitRow(id, unit, profiles) {
  const known = unit.profile ?? "";
  const rest = [...unit.suggestions, ...profiles.filter((name) => !unit.suggestions.includes(name))].filter((name) => name !== known);
  return html`<tr><th scope="row"><label class="check"><input type="checkbox" name="${id}-in" checked aria-label=${unit.name}><span>${unit.name}
      ${unit.gear.length ? html`<small>${unit.gear.join(", ")}</small>` : nothing}</span></label></th>
    <td><input type="number" name="${id}-count" min="1" max="200" required value=${unit.count} aria-label="${words.count}: ${unit.name}"></td>
    <td><select name="${id}-profile" aria-label="${words.profile}: ${unit.name}">
      ${known ? option(known) : nothing}
      ${unit.draft ? html`<option value="" selected>${unit.name} (${words.own})</option>` : nothing}
      ${rest.map(option)}</select>
      ${unit.draft ? html`<details><summary class="small">${words.characteristics}</summary><div class="stats">${stats(unit.draft).map(([key, value]) => stat(`${id}-stat-${key}`, key, value))}</div></details>` : nothing}</td>
    <td><select name="${id}-base" aria-label="${words.base}: ${unit.name}">${unit.bases.map((base, place) => html`<option value=${place}>${baseName(base)}</option>`)}</select></td></tr>`;
}

/** @param {string} profile */
const option = (profile) => html`<option value=${profile}>${profile.replaceAll("_", " ")}</option>`;

/** The numbers and switches of a profile; what is nested stays as drafted. @param {Record<string, unknown>} draft @returns {[string, number | boolean][]} */
const stats = (draft) => /** @type {[string, number | boolean][]} */ (Object.entries(draft).filter(([, value]) => typeof value === "number" || typeof value === "boolean"));

/** Lengths are kept in ten-thousandths of an inch and typed in inches. */
const LENGTH = /movement|range|distance|move$/;

/** @param {string} name @param {string} key @param {number | boolean} value */
function stat(name, key, value) {
  const label = key.replaceAll("_", " ");
  if (typeof value === "boolean") return html`<label class="check"><input type="checkbox" name=${name} ?checked=${value}><span>${label}</span></label>`;
  const isLength = LENGTH.test(key);
  return html`<label><span>${label}${isLength ? ", in" : ""}</span><input type="number" name=${name} step=${isLength ? "0.01" : "1"} value=${isLength ? value / 10_000 : value}></label>`;
}

/** What the form says of one side's army. @param {Seat} seat @param {Army} army @param {FormData} data
 * @returns {{units: UnitSpec[], profiles: Record<string, unknown>}} */
export function orderedArmy(seat, army, data) {
  /** @type {UnitSpec[]} */
  const units = [];
  /** @type {Record<string, unknown>} */
  const profiles = {};
  army.units.forEach((unit, place) => {
    const id = `${seat}-${place}`;
    if (!data.has(`${id}-in`)) return;
    const base = unit.bases[Number(data.get(`${id}-base`))] ?? unit.base;
    const profile = String(data.get(`${id}-profile`) ?? "") || (unit.draft_key ?? "");
    if (profile === unit.draft_key && unit.draft) profiles[profile] = { ...unit.draft, ...statsOf(id, unit.draft, data), base };
    units.push({ profile, label: unit.name, count: Number(data.get(`${id}-count`)) || unit.count, base });
  });
  return { units, profiles };
}

/** @param {string} id @param {Record<string, unknown>} draft @param {FormData} data */
const statsOf = (id, draft, data) => Object.fromEntries(stats(draft).map(([key, value]) => {
  const name = `${id}-stat-${key}`;
  if (typeof value === "boolean") return [key, data.has(name)];
  const typed = Number(data.get(name) ?? value);
  return [key, LENGTH.test(key) ? Math.round(typed * 10_000) : Math.round(typed)];
}));
