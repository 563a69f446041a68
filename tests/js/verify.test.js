// The verification page works out the same dice, commitments and hashes as the server.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { canonical, parseSpelt } from "../../static/js/verify/canonical.js";
import { check, mixesOf } from "../../static/js/verify/check.js";
import { bytesOf, sha256 } from "../../static/js/verify/crypto.js";
import { facesOf, fairDraws } from "../../static/js/verify/draws.js";

const known = JSON.parse(readFileSync(new URL("../fixtures/dice.json", import.meta.url), "utf8"));

test("each known draw comes out", async () => {
  for (const { game, seed, mixes, die, first, faces } of known.draws) {
    const face = await fairDraws(game, bytesOf(seed), mixes);
    for (const [place, shown] of faces.entries()) assert.equal(await face(first + place, facesOf(die)), shown, `${game} ${die} ${first + place}`);
  }
});

test("seeds and mixes are committed to as on the server", async () => {
  for (const { game, seed, hash } of known.commitments) assert.equal(await sha256(`v1|${game}|`, bytesOf(seed)), hash);
  for (const [mix, hash] of Object.entries(known.mixes)) assert.equal(await sha256(mix), hash);
});

test("a die of another system is unknown, not wrong", () => {
  assert.equal(facesOf("tarot"), null);
  assert.deepEqual(facesOf("d3"), [1, 2, 3]);
});

test("keys are sorted by code point, and numbers keep their spelling", () => {
  const told = canonical(parseSpelt('{"b":1,"a":[true,null,"é\\n"],"\u{1F600}":0,"\uFF61":2}'));
  assert.equal(told, '{"a":[true,null,"é\\n"],"b":1,"\uFF61":2,"\u{1F600}":0}');
});

const SEED = "ab".repeat(32);

async function battle() {
  const mixes = { south: "1".repeat(64), north: "2".repeat(64) };
  const game = "g1";
  const face = await fairDraws(game, bytesOf(SEED), [mixes.south, mixes.north]);
  const d6 = facesOf("d6");
  const events = [
    { kind: "opened", game, title: "A battle", commitment: await sha256(`v1|${game}|`, bytesOf(SEED)) },
    { kind: "seated", seat: "south", mix: await sha256(mixes.south) }, { kind: "seated", seat: "north", mix: await sha256(mixes.north) },
    { kind: "mixed", seat: "south", mix: mixes.south }, { kind: "mixed", seat: "north", mix: mixes.north },
    { kind: "rolled", number: 0, die: "d6", faces: [await face(0, d6), await face(1, d6)], purpose: "to hit" },
    { kind: "rolled", number: 2, die: "d6", faces: [await face(2, d6)], purpose: "to wound" },
    { kind: "closed", seed: SEED, reason: "agreed" },
  ];
  return chained(events);
}

async function chained(events) {
  const lines = [];
  let before = "";
  for (const [seq, event] of events.entries()) {
    const hash = await sha256(`${before}|${canonical([seq, 1000 + seq, null, event])}`);
    lines.push({ seq, at: 1000 + seq, event, cause: null, hash });
    before = hash;
  }
  return lines;
}

const file = (lines) => lines.map((line) => JSON.stringify(line)).join("\n");
const goods = (proof) => Object.fromEntries(proof.findings.map(({ name, good }) => [name, good]));

test("an honest battle agrees in all four", async () => {
  const proof = await check(file(await battle()));
  assert.deepEqual(goods(proof), { chain: true, commitment: true, mixes: true, dice: true });
  assert.equal(proof.dice, 3);
});

test("a changed die is named, even where the chain was forged after it", async () => {
  const lines = await battle();
  lines[5].event.faces[1] = (lines[5].event.faces[1] % 6) + 1;
  assert.deepEqual(goods(await check(file(lines))), { chain: false, commitment: true, mixes: true, dice: false });
  const proof = await check(file(await chained(lines.map((line) => line.event))));
  assert.deepEqual(goods(proof), { chain: true, commitment: true, mixes: true, dice: false });
  assert.match(proof.findings[3].text, /to hit.*die 1 shows/);
});

test("a roll left out is missed by its number", async () => {
  const events = (await battle()).map((line) => line.event).filter((event) => event.number !== 0);
  const [first, ...rest] = [events.find((event) => event.kind === "rolled"), null];
  assert.ok(first && rest);
  const proof = await check(file(await chained([...events.slice(0, 5), { ...first, number: 5 }, ...events.slice(5)])));
  assert.equal(goods(proof).dice, false);
});

test("another seed, or another mix than promised, does not pass", async () => {
  const events = (await battle()).map((line) => line.event);
  const other = events.map((event) => (event.kind === "closed" ? { ...event, seed: "cd".repeat(32) } : event));
  assert.equal(goods(await check(file(await chained(other)))).commitment, false);
  const mixed = events.map((event) => (event.kind === "mixed" ? { ...event, mix: "3".repeat(64) } : event));
  assert.equal(goods(await check(file(await chained(mixed)))).mixes, false);
});

test("an open battle is neither good nor bad; another file is refused with a sentence", async () => {
  const lines = (await battle()).slice(0, 6).map(({ seq, at, event }) => ({ seq, at, ...event }));
  assert.deepEqual(goods(await check(file(lines))), { chain: null, commitment: null, mixes: true, dice: null });
  await assert.rejects(check("hello"), /Line 1 cannot be read/);
  await assert.rejects(check('{"seq":0,"at":0,"kind":"noted"}'), /not a battle/);
});

test("what was not revealed before the first die stays a hash", async () => {
  const lines = await battle();
  assert.deepEqual(mixesOf(lines), ["1".repeat(64), "2".repeat(64)]);
  const without = lines.filter((line) => !(line.event.kind === "mixed" && line.event.seat === "north"));
  assert.equal(mixesOf(without)[1], lines[2].event.mix);
});
