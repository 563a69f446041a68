// How things are called: sides, models, units, lengths and chances.
/** @import { Crowd, Model, Role, Seat, Status, Table } from "../net/types" */
/** @import { Meta, State } from "../state/types" */
import { html, svg } from "lit-html";
import { text } from "./text.js";

export const SEATS = /** @type {const} */ (["south", "north"]);

/** @param {Seat} seat @returns {Seat} */
export const rival = (seat) => (seat === "south" ? "north" : "south");

/** @param {Role | null} role @returns {role is Seat} */
export const isSeat = (role) => role === "south" || role === "north";

/** The typed name of who sits there, else the side. @param {Crowd} crowd @param {Seat} seat */
export const personName = (crowd, seat) => crowd.seats[seat]?.name || text.side[seat];

/** A side is never told by colour alone: south is a diamond, north a disc. @param {Seat} seat */
export const seatMark = (seat) => html`<svg class="seatmark ${seat}" viewBox="0 0 16 16" aria-hidden="true">${
  seat === "south" ? svg`<path d="M8 0 16 8 8 16 0 8z"/>` : svg`<circle cx="8" cy="8" r="7"/>`}</svg>`;

/** @param {number} length ten-thousandths of an inch */
export const inches = (length) => (length / 10_000).toFixed(2);

/** @param {number} length */
export const roundInches = (length) => String(Number((length / 10_000).toFixed(2)));

/** @param {number} chance of ten thousand */
export function percent(chance) {
  if (chance > 0 && chance < 100) return "< 1 %";
  return `${Math.round(chance / 100)} %`;
}

/** @param {{x: number, y: number}} at */
export const spot = (at) => `(${inches(at.x)}, ${inches(at.y)})`;

/** @param {Table | null} table @param {string} id @returns {Model | undefined} */
export const modelOf = (table, id) => (table && Object.hasOwn(table.models, id) ? table.models[id] : table?.removed[id]);

/** @param {Table | null} table @param {string} id */
export function thingName(table, id) {
  const model = modelOf(table, id);
  if (model && table) return modelName(table, model);
  return table?.units[id]?.label || table?.terrain[id]?.label || table?.terrain[id]?.kind || id;
}

/** A model of a unit is called after it, with its own label or its place in the ranks. @param {Table} table @param {Model} model */
export function modelName(table, model) {
  const unit = table.units[model.unit]?.label ?? "";
  if (model.label && model.label !== unit) return unit && /^\d+$/.test(model.label) ? `${unit} ${model.label}` : model.label;
  return unit || model.profile || model.id;
}

/** "Orc Boyz (3)" rather than three names. @param {Table | null} table @param {readonly string[]} ids */
export function groupName(table, ids) {
  if (!table || ids.length < 2) return ids[0] === undefined ? "" : thingName(table, ids[0]);
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const id of ids) {
    const model = modelOf(table, id);
    const name = model ? table.units[model.unit]?.label || modelName(table, model) : thingName(table, id);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const names = [...counts].map(([name, count]) => (count > 1 ? `${name} (${count})` : name));
  return names.length > 4 ? `${names.slice(0, 3).join(", ")} ${text.log.and(names.length - 3)}` : names.join(", ");
}

/** @param {Meta | null} meta @param {string} key */
export const statusLabel = (meta, key) => meta?.statuses.find((status) => status.key === key)?.label ?? key.replaceAll("_", " ");

/** @param {Meta | null} meta @param {string} key @param {Status} value */
export function statusText(meta, key, value) {
  const label = statusLabel(meta, key);
  return value === true ? label : value === false ? text.log.notStatus(label) : `${label}: ${value}`;
}

/** @param {Meta | null} meta @param {string} phase */
export const phaseName = (meta, phase) => meta?.phases.find((known) => known.id === phase)?.name ?? phase;

/** Where the page stands: the table shown and whether it is the past. @param {State} state */
export const shownTable = (state) => state.shown ?? state.table;

/** @param {number} ms */
export function hourOf(ms) {
  return new Date(ms).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });
}
