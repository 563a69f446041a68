// Whether an exported game proves itself: the server's commitment, both mixes, every die, and the chain of hashes.
/** @import { Face } from "./draws.js" */
import { canonical, parseSpelt } from "./canonical.js";
import { bytesOf, sha256 } from "./crypto.js";
import { facesOf, fairDraws } from "./draws.js";

/** @typedef {{seq: number, at: number, event: Record<string, any> & {kind: string}, cause: string | null, hash: string}} Logged */
/** @typedef {{name: "chain" | "commitment" | "mixes" | "dice", good: boolean | null, text: string}} Finding good is null where it cannot be told */
/** @typedef {{title: string, game: string, events: number, dice: number, findings: Finding[]}} Proof */

export class Unreadable extends Error {}

/** @param {string} file @param {(done: number) => void} [progress] @returns {Promise<Proof>} */
export async function check(file, progress = () => {}) {
  const lines = file.split("\n").filter((line) => line.trim());
  const log = lines.map(readLine);
  const opened = log[0]?.event;
  if (!log.length || opened?.kind !== "opened") throw new Unreadable("This is not a battle saved by Linstock: its first line is not the opening of a battle.");
  const closed = log.find((logged) => logged.event.kind === "closed")?.event;
  const seed = closed ? bytesOf(closed["seed"]) : null;
  const dice = log.filter((logged) => logged.event.kind === "rolled");
  const findings = [await chain(lines, log, progress), await commitment(opened, seed), await mixes(log), await rolls(opened, log, seed, progress)];
  return { title: opened["title"], game: opened["game"], events: log.length, dice: dice.reduce((sum, roll) => sum + roll.event["faces"].length, 0), findings };
}

/** A line of a finished battle, or of one player's view of an unfinished one. @param {string} line @param {number} place @returns {Logged} */
function readLine(line, place) {
  try {
    const read = JSON.parse(line);
    if (read.event?.kind) return read;
    const { seq, at, ...event } = read;
    if (event.kind) return { seq, at, event, cause: null, hash: "" };
  } catch {
    // told below, with the number of the line
  }
  throw new Unreadable(`Line ${place + 1} cannot be read. Is this a file saved by “Save the battle as a file”?`);
}

/** @param {string[]} lines @param {Logged[]} log @param {(done: number) => void} progress @returns {Promise<Finding>} */
async function chain(lines, log, progress) {
  if (log.some((logged) => !logged.hash)) return { name: "chain", good: null, text: "This file holds one side's view of a battle that is not closed: it carries no chain of hashes yet." };
  let before = "";
  for (const [place, logged] of log.entries()) {
    const { at, cause, event } = parseSpelt(/** @type {string} */ (lines[place]));
    const wanted = await sha256(`${before}|${canonical([place, at, cause, event])}`);
    if (logged.seq !== place || logged.hash !== wanted) return { name: "chain", good: false, text: `Event ${place} (${logged.event.kind}) does not follow from the one before it: something was changed, left out or put in.` };
    before = logged.hash;
    if (place % 200 === 0) progress(place);
  }
  return { name: "chain", good: true, text: `All ${log.length} events follow from one another; nothing was changed, left out or put in.` };
}

/** @param {Logged["event"]} opened @param {Uint8Array | null} seed @returns {Promise<Finding>} */
async function commitment(opened, seed) {
  if (!seed) return { name: "commitment", good: null, text: "The battle is not closed: its seed is still secret." };
  const found = await sha256(`v1|${opened["game"]}|`, seed);
  return found === opened["commitment"]
    ? { name: "commitment", good: true, text: "The seed is the one the server bound itself to before the first roll." }
    : { name: "commitment", good: false, text: "The seed is not the one the server bound itself to." };
}

/** @param {Logged[]} log @returns {Promise<Finding>} */
async function mixes(log) {
  /** @type {Record<string, string>} */
  const promised = {};
  for (const { seq, event } of log) {
    if (event.kind === "seated") promised[event["seat"]] = event["mix"];
    if (event.kind !== "mixed") continue;
    const found = await sha256(String(event["mix"]));
    if (found !== promised[event["seat"]]) return { name: "mixes", good: false, text: `Event ${seq}: what ${event["seat"]} mixed in is not what that seat had promised.` };
  }
  const shown = log.filter(({ event }) => event.kind === "mixed").length;
  return { name: "mixes", good: true, text: shown ? `${shown} of 2 seats showed what they had promised to mix in.` : "No seat showed its mix before the first roll: the hashes they had promised stand in." };
}

/** What stands for each seat when the first die is rolled. @param {Logged[]} log @returns {[string, string]} */
export function mixesOf(log) {
  /** @type {Record<string, string>} */
  const mix = { south: "", north: "" };
  for (const { event } of log) {
    if (event.kind === "rolled") break;
    if (event.kind === "seated" || event.kind === "mixed") mix[event["seat"]] = event["mix"];
  }
  return [mix["south"] ?? "", mix["north"] ?? ""];
}

/** @param {Logged["event"]} opened @param {Logged[]} log @param {Uint8Array | null} seed @param {(done: number) => void} progress @returns {Promise<Finding>} */
async function rolls(opened, log, seed, progress) {
  if (!seed) return { name: "dice", good: null, text: "The dice can be worked out once the battle is closed and its seed is in the file." };
  const face = await fairDraws(opened["game"], seed, mixesOf(log));
  let next = 0;
  let count = 0;
  /** @type {Set<string>} */
  const unknown = new Set();
  for (const { seq, event } of log) {
    if (event.kind !== "rolled") continue;
    const wrong = await oneRoll(face, event, next);
    if (wrong === "unknown") unknown.add(event["die"]);
    else if (wrong) return { name: "dice", good: false, text: `Event ${seq}, “${event["purpose"]}”: ${wrong}` };
    next = event["number"] + event["faces"].length;
    count += event["faces"].length;
    progress(seq);
  }
  const rest = unknown.size ? ` This page does not know the faces of: ${[...unknown].join(", ")}.` : "";
  return { name: "dice", good: unknown.size ? null : true, text: `${count} dice, numbered without gaps, each as it must fall.${rest}` };
}

/** @param {(number: number, faces: Face[]) => Promise<Face>} face @param {Record<string, any>} roll @param {number} next @returns {Promise<string | null>} */
async function oneRoll(face, roll, next) {
  if (roll["number"] !== next) return `it has number ${roll["number"]}, but ${next} comes next: a roll is missing.`;
  const faces = facesOf(roll["die"]);
  if (!faces) return "unknown";
  for (const [place, shown] of roll["faces"].entries()) {
    const due = await face(roll["number"] + place, faces);
    if (due !== shown) return `die ${roll["number"] + place} shows ${shown}; from seed and mixes it must show ${due}.`;
  }
  return null;
}
