// What geometry found, as a short line. The keys are the engine's own words; lengths are told in inches.
/** @import { Table } from "../net/types" */
import { groupName, inches, modelOf } from "./names.js";

const LENGTH = /^(x|y|z|away|used|left|limit|allowance|range|distance|length|least|most|height|reach|gap|drift|far|near)/;
const SHARE = /(share|seen|visible|cover)$/;
const QUIET = new Set(["x", "y", "z", "via", "moves", "pose", "id", "origin", "outline", "label", "facing", "target", "centre", "at"]);

/** @param {Table | null} table @param {unknown} finding @returns {string} */
export function findingText(table, finding) {
  if (finding === null || finding === undefined) return "";
  if (typeof finding !== "object") return plain(finding);
  if (Array.isArray(finding)) return listText(table, finding);
  return Object.entries(finding).map(([key, value]) => part(table, key, value)).filter(Boolean).slice(0, 7).join(" · ");
}

/** @param {Table | null} table @param {string} key @param {unknown} value */
function part(table, key, value) {
  if (QUIET.has(key) || value === null || value === "" || (Array.isArray(value) && !value.length)) return "";
  const name = key.replaceAll("_", " ");
  if (typeof value === "number" && LENGTH.test(key)) return `${name} ${inches(value)} in`;
  if (typeof value === "number" && SHARE.test(key) && value > 1) return `${name} ${value > 100 ? Math.round(value / 100) : value} %`;
  if (typeof value === "boolean") return value ? name : "";
  if (Array.isArray(value)) return listText(table, value) && `${name}: ${listText(table, value)}`;
  if (typeof value === "object") return "";
  return `${name} ${typeof value === "string" && modelOf(table, value) ? groupName(table, [value]) : plain(value)}`;
}

/** @param {Table | null} table @param {unknown[]} list */
function listText(table, list) {
  const names = list.filter((item) => typeof item === "string");
  return names.length ? groupName(table, names) : "";
}

/** @param {unknown} value */
const plain = (value) => (value === true ? "yes" : value === false ? "no" : String(value));
