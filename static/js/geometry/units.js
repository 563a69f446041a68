// Twin of server/geometry/units.py: whole numbers that carry a unit. Tables grow to the north, screens to the south.
/** @import { Bearing, Length, Point } from "../net/types" */

export const PER_INCH = 10_000;
export const SIZE_PER_INCH = 2_540;
export const FULL_CIRCLE = 36_000;

/** @param {number} x */
export const inches = (x) => Math.round(x * PER_INCH);
/** @param {Length} length */
export const toInches = (length) => length / PER_INCH;
/** A size of 0.01 mm in Lengths, not rounded. @param {number} size */
export const sizeLength = (size) => (size / SIZE_PER_INCH) * PER_INCH;

/** As players read it: two decimals. @param {Length} length @param {"in" | "cm"} [unit] */
export const sayLength = (length, unit = "in") =>
  unit === "cm" ? `${((length / PER_INCH) * 2.54).toFixed(2)} cm` : `${(length / PER_INCH).toFixed(2)}"`;

/** Degrees, whole turns taken off. @param {number} bearing @returns {Bearing} */
export const whole = (bearing) => ((Math.round(bearing) % FULL_CIRCLE) + FULL_CIRCLE) % FULL_CIRCLE;

/** The step east and north for going one unit that way; exact at quarter turns. @param {Bearing} bearing @returns {[number, number]} */
export function sineCosine(bearing) {
  const turned = ((bearing % FULL_CIRCLE) + FULL_CIRCLE) % FULL_CIRCLE;
  const quarter = Math.floor(turned / 9_000);
  const angle = ((turned - quarter * 9_000) / 18_000) * Math.PI;
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  if (quarter === 0) return [sine, cosine];
  if (quarter === 1) return [cosine, -sine];
  return quarter === 2 ? [-sine, -cosine] : [-cosine, sine];
}

/** Counted from north, clockwise. @param {Point} a @param {Point} b @returns {Bearing} */
export const bearingTo = (a, b) => whole((Math.atan2(b.x - a.x, b.y - a.y) / Math.PI) * 18_000);

/** @param {Point} point @param {Point} about @param {number} by @returns {Point} */
export function turned(point, about, by) {
  const [sine, cosine] = sineCosine(by);
  const [east, north] = [point.x - about.x, point.y - about.y];
  return { x: about.x + Math.round(east * cosine + north * sine), y: about.y + Math.round(north * cosine - east * sine) };
}

/** @param {Point} from @param {Bearing} bearing @param {Length} distance @returns {Point} */
export function displaced(from, bearing, distance) {
  const [sine, cosine] = sineCosine(bearing);
  return { x: from.x + Math.round(distance * sine), y: from.y + Math.round(distance * cosine) };
}

/** @param {Point} a @param {Point} b @returns {Length} */
export const apart = (a, b) => Math.round(Math.hypot(a.x - b.x, a.y - b.y));

/** Length of a way from point to point. @param {readonly Point[]} points @returns {Length} */
export function wayLength(points) {
  let sum = 0;
  for (let i = 1; i < points.length; i += 1) {
    const [a, b] = [/** @type {Point} */ (points[i - 1]), /** @type {Point} */ (points[i])];
    sum += Math.hypot(b.x - a.x, b.y - a.y);
  }
  return Math.round(sum);
}
