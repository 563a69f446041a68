// Positions that arrive twenty times a second, drawn sixty times a second.
/** @import { Pose } from "../net/types" */

const BEAT = 70;

export class Ghosts {
  constructor() {
    /** @type {Map<string, {from: Pose, to: Pose, start: number}>} */
    this.tracks = new Map();
  }

  /** Where the ghost is now on its way to `to`, and whether it still moves. A new ghost starts where the model stands.
   * @param {string} key @param {Pose} to @param {Pose} rest @param {number} now @returns {[Pose, boolean]} */
  towards(key, to, rest, now) {
    const had = this.tracks.get(key);
    const fresh = !had || now - had.start > 1_500;
    const track = fresh ? { from: rest, to, start: now } : had.to.x === to.x && had.to.y === to.y && had.to.facing === to.facing ? had : { from: at(had, now), to, start: now };
    this.tracks.set(key, track);
    return [at(track, now), now - track.start < BEAT];
  }
}

/** @param {{from: Pose, to: Pose, start: number}} track @param {number} now */
const at = (track, now) => between(track.from, track.to, Math.min(1, (now - track.start) / BEAT));

/** Part of the way, turning the shorter way round. @param {Pose} a @param {Pose} b @param {number} t @returns {Pose} */
export function between(a, b, t) {
  const turn = ((b.facing - a.facing + 54_000) % 36_000) - 18_000;
  return { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t, facing: (((a.facing + turn * t) % 36_000) + 36_000) % 36_000, z: b.z };
}
