// The page's geometry, fold and digest say what the server says.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { distance, overlap, pointDistance } from "../../static/js/geometry/distance.js";
import { footprint } from "../../static/js/geometry/shapes.js";
import { digest } from "../../static/js/state/digest.js";
import { apply, fold } from "../../static/js/state/fold.js";

const fixture = (name) => JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), "utf8"));

test("distances are the server's to 0.0001 inch", () => {
  for (const { a, b, ...said } of fixture("distances")) {
    const [here, there] = [footprint(a.base, a.pose), footprint(b.base, b.pose)];
    const name = JSON.stringify([a, b]);
    assert.ok(Math.abs(distance(here, there) - said.distance) <= 1, name);
    assert.equal(distance(here, there), distance(there, here), name);
    assert.ok(Math.abs(pointDistance(b.pose, here) - said.point) <= 1, name);
    assert.equal(overlap(here, there), said.overlap, name);
  }
});

test("facts make the same table, to the digest", () => {
  const { table, digest: first, steps, end } = fixture("fold");
  assert.equal(digest(table), first);
  let now = table;
  for (const step of steps) {
    now = apply(now, step.fact);
    assert.equal(digest(now), step.digest, JSON.stringify(step.fact));
  }
  assert.deepEqual(JSON.parse(JSON.stringify(now)), end);
  assert.equal(digest(fold(table, steps.map((step) => step.fact))), digest(end));
});

test("a fact about what is not there is refused, and the table it was told of is as before", () => {
  const { table } = fixture("fold");
  const before = digest(table);
  assert.throws(() => apply(table, { fact: "status_set", model: "nobody", key: "down", value: true }));
  assert.throws(() => apply(table, { fact: "status_set", model: "constructor", key: "down", value: true }));
  assert.equal(digest(table), before);
});
