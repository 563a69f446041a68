// The one spelling of an event that its hash is made of: keys sorted, no spaces, numbers as they were written.

class Spelt {
  /** @param {string} source */
  constructor(source) {
    this.source = source;
  }
}

/** JSON whose numbers keep their spelling, where the browser can (1.0 is not 1 to a hash). @param {string} line */
export const parseSpelt = (line) => JSON.parse(line, /** @type {(key: string, value: unknown) => unknown} */ (
  /** @type {unknown} */ ((/** @type {string} */ _key, /** @type {unknown} */ value, /** @type {{source?: string}} */ context) =>
    (typeof value === "number" && context?.source ? new Spelt(context.source) : value))));

/** @param {unknown} value @returns {string} */
export function canonical(value) {
  if (value instanceof Spelt) return value.source;
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => byCodePoint(a, b));
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(",")}}`;
}

/** The order of UTF-8, which differs from JavaScript's own beyond the first plane. @param {string} a @param {string} b */
function byCodePoint(a, b) {
  const [left, right] = [[...a], [...b]];
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const by = (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? 0);
    if (by) return by;
  }
  return left.length - right.length;
}
