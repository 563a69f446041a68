// Twin of server/geometry/plane.py and measure.py: how far apart two bases are, and where that is measured.
/** @import { Length, Point } from "../net/types" */
/** @import { Circle, Cornered, Ellipse, Footprint } from "./shapes.js" */
import { hasInside, sides } from "./shapes.js";

/** @typedef {{length: number, from: Point, to: Point}} Gap */

const GOLDEN = (Math.sqrt(5) - 1) / 2;
const COARSE = 256;

/** The number players are told. @param {Footprint} a @param {Footprint} b @returns {Length} */
export const distance = (a, b) => Math.round(closest(a, b).length);
/** @param {Point} p @param {Footprint} shape @returns {Length} */
export const pointDistance = (p, shape) => Math.round(gapTo(shape, p));

/** @param {Point} a @param {Point} b */
const far = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

/** The shortest way from a to b; of length 0 where they meet. @param {Footprint} a @param {Footprint} b @returns {Gap} */
export function closest(a, b) {
  if (rank(b) < rank(a)) {
    const { length, from, to } = closest(b, a);
    return { length, from: to, to: from };
  }
  if (a.kind === "circle") return circleGap(a, b);
  if (a.kind === "ellipse") return b.kind === "ellipse" ? ellipseGap(a, b) : ellipseCorneredGap(a, /** @type {Cornered} */ (b));
  return corneredGap(a, /** @type {Cornered} */ (b));
}

/** @param {Footprint} shape */
const rank = (shape) => ["circle", "ellipse", "cornered"].indexOf(shape.kind);

/** The place of the shape nearest to another; that place itself if it lies inside. @param {Footprint} shape @param {Point} place @returns {Point} */
export function nearestTo(shape, place) {
  if (shape.kind === "circle") {
    const length = far(shape, place);
    if (length <= shape.bound) return place;
    const share = shape.bound / length;
    return { x: shape.x + (place.x - shape.x) * share, y: shape.y + (place.y - shape.y) * share };
  }
  if (shape.kind === "ellipse") return toTable(shape, nearestOnEllipse(shape.across, shape.along, toLocal(shape, place)));
  if (hasInside(shape.corners, place)) return place;
  return least([...sides(shape.corners)].map(([p, q]) => nearestOnSegment(p, q, place)), (on) => far(on, place));
}

/** @param {Footprint} shape @param {Point} place */
export function gapTo(shape, place) {
  if (shape.kind === "circle") return Math.max(0, far(shape, place) - shape.bound);
  return far(place, nearestTo(shape, place));
}

/** @template T @param {T[]} things @param {(thing: T) => number} by @returns {T} */
function least(things, by) {
  return things.reduce((best, thing) => (by(thing) < by(best) ? thing : best));
}

/** @param {Point} p @param {Point} q @param {Point} place @returns {Point} */
export function nearestOnSegment(p, q, place) {
  const [dx, dy] = [q.x - p.x, q.y - p.y];
  const square = dx * dx + dy * dy;
  if (square === 0) return p;
  const share = Math.min(1, Math.max(0, ((place.x - p.x) * dx + (place.y - p.y) * dy) / square));
  return { x: p.x + share * dx, y: p.y + share * dy };
}

/** @param {Ellipse} e @param {Point} place @returns {[number, number]} (right, front) of the centre */
function toLocal(e, place) {
  const [dx, dy] = [place.x - e.x, place.y - e.y];
  return [dx * e.cosine - dy * e.sine, dx * e.sine + dy * e.cosine];
}

/** @param {Ellipse} e @param {[number, number]} place @returns {Point} */
function toTable(e, [right, front]) {
  return { x: e.x + right * e.cosine + front * e.sine, y: e.y + front * e.cosine - right * e.sine };
}

/** Newton on the convex function of D. Eberly's method, from the left of the root.
 * @param {number} across @param {number} along @param {[number, number]} place @returns {[number, number]} */
function nearestOnEllipse(across, along, place) {
  const [x, y] = [Math.abs(place[0]), Math.abs(place[1])];
  if ((x / across) ** 2 + (y / along) ** 2 <= 1) return place;
  const [aa, bb, ax, by] = [across * across, along * along, across * x, along * y];
  let root = Math.max(0, ax - aa, by - bb);
  for (let i = 0; i < 64; i += 1) {
    const [u, v] = [ax / (root + aa), by / (root + bb)];
    const step = (u * u + v * v - 1) / (2 * ((u * u) / (root + aa) + (v * v) / (root + bb)));
    root += step;
    if (step <= 1e-15 * (root + aa + bb)) break;
  }
  return [Math.sign(place[0]) * ((aa * x) / (root + aa)), Math.sign(place[1]) * ((bb * y) / (root + bb))];
}

/** @param {Circle} a @param {Footprint} b @returns {Gap} */
function circleGap(a, b) {
  const to = nearestTo(b, a);
  const length = far(a, to) - a.bound;
  return length <= 0 ? { length: 0, from: to, to } : { length, from: nearestTo(a, to), to };
}

/** Exact: the nearest point is that of an end, or the one whose tangent runs along the segment.
 * @param {Ellipse} shape @param {Point} start @param {Point} end @returns {Gap} */
function ellipseSegmentGap(shape, start, end) {
  const { across, along } = shape;
  const [p, q] = [toLocal(shape, start), toLocal(shape, end)];
  const near = nearestOnSegment({ x: p[0] / across, y: p[1] / along }, { x: q[0] / across, y: q[1] / along }, { x: 0, y: 0 });
  if (near.x ** 2 + near.y ** 2 <= 1) {
    const common = toTable(shape, [near.x * across, near.y * along]);
    return { length: 0, from: common, to: common };
  }
  const pairs = [p, q].map((place) => pair(nearestOnEllipse(across, along, place), place));
  const [nx, ny] = [q[1] - p[1], p[0] - q[0]];
  const size = Math.hypot(nx * across, ny * along);
  if (size > 0) {
    const sign = Math.sign(nx * p[0] + ny * p[1]) / size;
    /** @type {[number, number]} */
    const on = [across * across * nx * sign, along * along * ny * sign];
    const there = nearestOnSegment({ x: p[0], y: p[1] }, { x: q[0], y: q[1] }, { x: on[0], y: on[1] });
    pairs.push(pair(on, [there.x, there.y]));
  }
  const best = least(pairs, ({ length }) => length);
  return { length: best.length, from: toTable(shape, best.on), to: toTable(shape, best.place) };
}

/** @param {[number, number]} on @param {[number, number]} place */
const pair = (on, place) => ({ length: Math.hypot(on[0] - place[0], on[1] - place[1]), on, place });

/** @param {Ellipse} a @param {Cornered} b @returns {Gap} */
function ellipseCorneredGap(a, b) {
  if (hasInside(b.corners, a)) return { length: 0, from: a, to: a };
  return least([...sides(b.corners)].map(([p, q]) => ellipseSegmentGap(a, p, q)), ({ length }) => length);
}

/** The widest strip that parts the two: a coarse look, then golden section. Where one exists there is one widest only.
 * @param {Ellipse} a @param {Ellipse} b @returns {Gap} */
function ellipseGap(a, b) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const strip = (/** @type {number} */ angle) => {
    const [nx, ny] = [Math.cos(angle), Math.sin(angle)];
    return dx * nx + dy * ny - halfWidth(a, nx, ny) - halfWidth(b, nx, ny);
  };
  const step = (2 * Math.PI) / COARSE;
  let best = 0;
  for (let i = 1; i < COARSE; i += 1) if (strip(i * step) > strip(best * step)) best = i;
  const angle = peak(strip, (best - 1) * step, (best + 1) * step);
  const length = strip(angle);
  if (length <= 0) return { length: 0, ...common(a, b) };
  const [nx, ny] = [Math.cos(angle), Math.sin(angle)];
  return { length, from: endTowards(a, nx, ny), to: endTowards(b, -nx, -ny) };
}

/** A place of two overlapping ellipses, by going to and fro. @param {Ellipse} a @param {Ellipse} b */
function common(a, b) {
  let to = nearestTo(b, a);
  for (let i = 0; i < 32; i += 1) to = nearestTo(b, nearestTo(a, to));
  return { from: to, to };
}

/** @param {Ellipse} e @param {number} nx @param {number} ny */
function halfWidth(e, nx, ny) {
  return Math.hypot((nx * e.cosine - ny * e.sine) * e.across, (nx * e.sine + ny * e.cosine) * e.along);
}

/** @param {Ellipse} e @param {number} nx @param {number} ny */
function endTowards(e, nx, ny) {
  const [right, front] = [nx * e.cosine - ny * e.sine, nx * e.sine + ny * e.cosine];
  const size = Math.hypot(right * e.across, front * e.along);
  return toTable(e, [(right * e.across ** 2) / size, (front * e.along ** 2) / size]);
}

/** @param {(at: number) => number} of @param {number} low @param {number} high */
function peak(of, low, high) {
  let [left, right] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
  let [atLeft, atRight] = [of(left), of(right)];
  for (let i = 0; i < 40; i += 1) {
    if (atLeft < atRight) {
      [low, left, atLeft] = [left, right, atRight];
      right = low + GOLDEN * (high - low);
      atRight = of(right);
    } else {
      [high, right, atRight] = [right, left, atLeft];
      left = high - GOLDEN * (high - low);
      atLeft = of(left);
    }
  }
  return (low + high) / 2;
}

/** @param {Cornered} a @param {Cornered} b @returns {Gap} */
function corneredGap(a, b) {
  const [first, second] = [/** @type {Point} */ (a.corners[0]), /** @type {Point} */ (b.corners[0])];
  if (hasInside(b.corners, first)) return { length: 0, from: first, to: first };
  if (hasInside(a.corners, second)) return { length: 0, from: second, to: second };
  /** @type {Gap | null} */
  let best = null;
  for (const [p, q] of sides(a.corners))
    for (const [r, s] of sides(b.corners)) {
      const gap = segmentsGap(p, q, r, s);
      if (!best || gap.length < best.length) best = gap;
    }
  return /** @type {Gap} */ (best);
}

/** @param {Point} p @param {Point} q @param {Point} r @param {Point} s @returns {Gap} */
function segmentsGap(p, q, r, s) {
  const cross = crossing(p, q, r, s);
  if (cross) return { length: 0, from: cross, to: cross };
  const ends = [p, q].map((from) => ({ from, to: nearestOnSegment(r, s, from) }));
  const starts = [r, s].map((to) => ({ from: nearestOnSegment(p, q, to), to }));
  const { from, to } = least([...ends, ...starts], (gap) => far(gap.from, gap.to));
  return { length: far(from, to), from, to };
}

/** @param {Point} p @param {Point} q @param {Point} r @param {Point} s @returns {Point | null} */
function crossing(p, q, r, s) {
  const [ux, uy, vx, vy] = [q.x - p.x, q.y - p.y, s.x - r.x, s.y - r.y];
  const cross = ux * vy - uy * vx;
  if (cross === 0) return null;
  const t = ((r.x - p.x) * vy - (r.y - p.y) * vx) / cross;
  const u = ((r.x - p.x) * uy - (r.y - p.y) * ux) / cross;
  return t >= 0 && t <= 1 && u >= 0 && u <= 1 ? { x: p.x + t * ux, y: p.y + t * uy } : null;
}

/** Whether two bases lie into each other; touching is allowed. @param {Footprint} a @param {Footprint} b */
export function overlap(a, b) {
  if (far(a, b) >= a.bound + b.bound) return false;
  if (a.kind === "circle") return gapTo(b, a) < a.bound - 1.5;
  if (b.kind === "circle") return gapTo(a, b) < b.bound - 1.5;
  return closest(cutBack(a), b).length === 0;
}

/** The shape less a strip of EPS: turning touching into apart. @param {Ellipse | Cornered} shape @returns {Ellipse | Cornered} */
function cutBack(shape) {
  if (shape.kind === "ellipse") return { ...shape, across: shape.across - 1.5, along: shape.along - 1.5 };
  const corners = shape.corners.map((corner) => {
    const [dx, dy] = [shape.x - corner.x, shape.y - corner.y];
    const size = Math.hypot(dx, dy) || 1;
    return { x: corner.x + (dx / size) * 2.2, y: corner.y + (dy / size) * 2.2 };
  });
  return { ...shape, corners };
}
