// Twin of server/table/digest.py: eight digits that change when anything on the table changes.
/** @import { Table } from "../net/types" */

const PARTS = /** @type {const} */ (["models", "removed", "units", "terrain", "templates", "markers", "scores"]);

const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit += 1) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});
const encoder = new TextEncoder();

/** @param {string} text */
export function crc32(text) {
  let crc = 0xffffffff;
  for (const byte of encoder.encode(text)) crc = (CRC[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** JSON with sorted keys and no blanks. @param {unknown} value @returns {string} */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const map = /** @type {Record<string, unknown>} */ (value);
  return `{${Object.keys(map).sort().map((key) => `${JSON.stringify(key)}:${canonical(map[key])}`).join(",")}}`;
}

/** A thing keeps its number while it is the same thing, so that a table of 300 models costs what has changed.
 * @type {WeakMap<object, number>} */
const numbers = new WeakMap();

/** @param {string} name @param {string} key @param {unknown} thing */
function numberOf(name, key, thing) {
  if (thing === null || typeof thing !== "object" || name === "removed") return crc32(canonical([name, key, thing]));
  const known = numbers.get(thing);
  if (known !== undefined) return known;
  const number = crc32(canonical([name, key, thing]));
  numbers.set(thing, number);
  return number;
}

/** @param {Table} table */
export function digest(table) {
  let total = crc32(canonical([table.width, table.depth, table.clock]));
  for (const name of PARTS)
    for (const [key, thing] of Object.entries(table[name])) total = (total + numberOf(name, key, thing)) >>> 0;
  return total.toString(16).padStart(8, "0");
}
