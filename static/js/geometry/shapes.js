// The ground a base covers, in Lengths: for drawing, hit tests and rulers. What counts is decided by the server.
/** @import { Base, Point, Pose } from "../net/types" */
import { sineCosine, sizeLength } from "./units.js";

/** @typedef {{kind: "circle", x: number, y: number, bound: number}} Circle */
/** @typedef {{kind: "ellipse", x: number, y: number, bound: number, across: number, along: number, sine: number, cosine: number}} Ellipse */
/** @typedef {{kind: "cornered", x: number, y: number, bound: number, corners: Point[]}} Cornered */
/** @typedef {Circle | Ellipse | Cornered} Footprint */

/** The footprint of a thing stays the same while it stands where it stands. @type {WeakMap<Pose, {base: Base, shape: Footprint}>} */
const known = new WeakMap();

/** @param {Base} base @param {Pose} pose @returns {Footprint} */
export function footprint(base, pose) {
  const found = known.get(pose);
  if (found && found.base === base) return found.shape;
  const shape = madeFootprint(base, pose);
  known.set(pose, { base, shape });
  return shape;
}

/** @param {Base} base @param {Pose} pose @returns {Footprint} */
function madeFootprint(base, pose) {
  const { x, y } = pose;
  const [sine, cosine] = sineCosine(pose.facing);
  if (base.kind === "round") return { kind: "circle", x, y, bound: sizeLength(base.diameter) / 2 };
  if (base.kind === "oval") {
    const [across, along] = [sizeLength(base.width) / 2, sizeLength(base.length) / 2];
    return { kind: "ellipse", x, y, bound: Math.max(across, along), across, along, sine, cosine };
  }
  const corners = plan(base).map(([right, front]) => ({ x: x + right * cosine + front * sine, y: y + front * cosine - right * sine }));
  return { kind: "cornered", x, y, bound: Math.max(...corners.map((c) => Math.hypot(c.x - x, c.y - y))), corners };
}

/** The corners as (right, front) of the centre, in Lengths, anticlockwise. @param {Extract<Base, {kind: "rectangle" | "polygon"}>} base @returns {[number, number][]} */
export function plan(base) {
  if (base.kind === "rectangle") {
    const [right, front] = [sizeLength(base.width) / 2, sizeLength(base.length) / 2];
    return [[-right, -front], [right, -front], [right, front], [-right, front]];
  }
  const given = base.corners.map(([right, front]) => /** @type {[number, number]} */ ([sizeLength(right), sizeLength(front)]));
  return area(given) >= 0 ? given : given.reverse();
}

/** @param {[number, number][]} ring */
function area(ring) {
  return ring.reduce((sum, [x, y], i) => {
    const [nx, ny] = /** @type {[number, number]} */ (ring[(i + 1) % ring.length]);
    return sum + x * ny - y * nx;
  }, 0);
}

/** Half the front and half the depth of a base, for drawing. @param {Base} base @returns {[number, number]} */
export function halves(base) {
  switch (base.kind) {
    case "round":
      return [sizeLength(base.diameter) / 2, sizeLength(base.diameter) / 2];
    case "oval":
    case "rectangle":
      return [sizeLength(base.width) / 2, sizeLength(base.length) / 2];
    case "polygon": {
      const corners = plan(base);
      return [Math.max(...corners.map(([x]) => Math.abs(x))), Math.max(...corners.map(([, y]) => Math.abs(y)))];
    }
  }
}

/** @param {readonly Point[]} ring @returns {Generator<[Point, Point]>} */
export function* sides(ring) {
  for (let i = 0; i < ring.length; i += 1) yield [/** @type {Point} */ (ring[i]), /** @type {Point} */ (ring[(i + 1) % ring.length])];
}

/** @param {readonly Point[]} ring @param {Point} place */
export function hasInside(ring, place) {
  let inside = false;
  for (const [p, q] of sides(ring))
    if (p.y > place.y !== q.y > place.y && place.x < p.x + ((place.y - p.y) * (q.x - p.x)) / (q.y - p.y)) inside = !inside;
  return inside;
}
