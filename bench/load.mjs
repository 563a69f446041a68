// The load generator: R tables of two players and S spectators, over real websockets on this machine.
//
//   node load.mjs '{"url": "http://127.0.0.1:8000", "pid": 123, "run": "drag", "tables": 20, ...}'
//
// `run` is `drag` (player 1 of every table drags one model), `act` (player 1 does something that is written to disk before it
// is shown) or `fill` (make one battle of that many models). Senders and receivers live in this process, so there is one
// clock; messages are due at fixed times whether or not the server keeps up. One line of JSON tells what was measured.
// Loopback only; every loop is bounded in count and time.
import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import { performance } from "node:perf_hooks";
import { gunzipSync } from "node:zlib";

const { WebSocket } = createRequire(new URL("../static/package.json", import.meta.url))("ws");

const asked = {
  url: "", pid: 0, run: "drag", plain: false, system: "stone_thrower", scenario: "grand_battery",
  tables: 20, spectators: 4, hz: 10, seconds: 5, settle: 1.5, joins: false, odds: false, actions: ["free_roll"],
  ramp: false, grow: 1.3, most: 1000, limit: 100, models: 300,
  ...JSON.parse(process.argv[2] ?? "{}"),
};
asked.seconds = Math.min(asked.seconds, 60);
asked.most = Math.min(asked.most, 2000);
asked.hz = Math.min(asked.hz, 20);
const { hostname } = new URL(asked.url);
if (!["127.0.0.1", "localhost", "[::1]"].includes(hostname)) throw new Error("loopback only");
setTimeout(() => { console.error("the load generator ran out of time"); process.exit(3); }, 540_000).unref();

const PROTOCOL = 1;
const RING = 1024;
const PATIENCE = 20_000;
const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const fresh = () => randomBytes(9).toString("hex");

// ---------------------------------------------------------------- lines

/** Socket.IO 5 over a bare websocket, for one namespace. */
class Line {
  constructor(game, token, heard) {
    this.heard = heard;
    this.answers = new Map();
    this.asked = 0;
    this.auth = JSON.stringify({ token, protocol: PROTOCOL });
    const address = asked.url.replace(/^http/, "ws") + `/socket.io/?EIO=4&transport=websocket&game=${game}`;
    this.socket = new WebSocket(address, { perMessageDeflate: false, skipUTF8Validation: true });
    this.open = new Promise((done, fail) => {
      this.socket.on("error", fail);
      this.socket.on("close", (code) => { this.closed = true; fail(new Error(`the line was closed (${code})`)); });
      this.socket.on("message", (data) => this.read(data.toString(), done, fail));
    });
    this.open.catch(() => {});
  }

  read(text, done, fail) {
    if (text === "2") return this.socket.send("3");
    if (text[0] === "0") return this.socket.send(`40/table,${this.auth}`);
    if (text[0] !== "4") return;
    const start = text.indexOf(",") + 1;
    if (text[1] === "0") return done(this);
    if (text[1] === "4") return fail(new Error(text));
    if (text[1] === "2") return this.heard(text, start);
    if (text[1] === "3") {
      const body = text.indexOf("[", start);
      const number = Number(text.slice(start, body));
      this.answers.get(number)?.(JSON.parse(text.slice(body))[0]);
      this.answers.delete(number);
    }
  }

  emit(event, payload) {
    this.socket.send(`42/table,${JSON.stringify([event, payload])}`);
  }

  ask(event, payload) {
    const number = this.asked++;
    return new Promise((done, fail) => {
      const late = setTimeout(() => fail(new Error(`${event} was not answered`)), PATIENCE);
      this.answers.set(number, (answer) => {
        clearTimeout(late);
        if (answer.ok) done(answer);
        else fail(new Error(`${event}: ${JSON.stringify(answer.error)}`));
      });
      this.socket.send(`42/table,${number}${JSON.stringify([event, payload])}`);
    });
  }

  close() {
    this.socket.removeAllListeners("close");
    this.socket.terminate();
  }
}

/** @returns {Promise<any>} */
function fetchJson(path, { token, body } = {}) {
  const headers = { "accept-encoding": "gzip" };
  if (token) headers.authorization = `Bearer ${token}`;
  if (body) headers["content-type"] = "application/json";
  return new Promise((done, fail) => {
    const request = http.request(asked.url + path, { agent, method: body ? "POST" : "GET", headers }, (reply) => {
      const parts = [];
      reply.on("data", (part) => parts.push(part));
      reply.on("end", () => {
        const whole = Buffer.concat(parts);
        const text = (reply.headers["content-encoding"] === "gzip" ? gunzipSync(whole) : whole).toString();
        if (reply.statusCode >= 300) fail(new Error(`${path}: ${reply.statusCode} ${text}`));
        else done({ value: JSON.parse(text), size: whole.length });
      });
    });
    request.setTimeout(PATIENCE, () => request.destroy(new Error(`${path} was not answered`)));
    request.on("error", fail);
    request.end(body && JSON.stringify(body));
  });
}

// ---------------------------------------------------------------- tables

let measuring = false;
let latencies = [];
let strays = 0;

/** One battle and everybody at it. */
class Table {
  constructor() {
    this.sent = new Float64Array(RING);
    this.numbers = new Int32Array(RING).fill(-1);
    this.number = 0;
    this.lines = [];
  }

  async begin() {
    this.links = asked.plain ? { game: fresh(), seats: { south: "x", north: "x" }, watch: "x" } : await this.order();
  }

  async order() {
    const mix = createHash("sha256").update(fresh()).digest("hex");
    const order = { system: asked.system, scenario: asked.scenario, name: "Bench", mix, hotseat: true };
    return (await fetchJson("/api/battles", { body: order })).value;
  }

  /** Sit down or watch, as a page does: connect, join, and fetch the history. */
  async join(role, heard) {
    const { game, seats, watch } = this.links;
    const token = role === "watch" ? watch : seats[role];
    const times = [performance.now()];
    const line = new Line(game, token, heard);
    await line.open;
    const joined = await line.ask("join", { since: null });
    times.push(performance.now());
    if (joined.history) {
      const { value, size } = await fetchJson(joined.history, { token });
      this.history ??= value;
      line.size = size;
    }
    times.push(performance.now());
    line.joinedIn = times[1] - times[0];
    line.fetchedIn = times[2] - times[1];
    line.seq = joined.seq;
    return line;
  }

  async fill() {
    await this.begin();
    this.lines.push(await this.join("south", () => {}));
    const others = ["north", ...Array(asked.spectators).fill("watch")];
    this.lines.push(...(await Promise.all(others.map((role) => this.join(role, (text, at) => this.heard(text, at))))));
    if (this.history) {
      this.model = loneliest(this.history.events[0].table.models);
      this.seq = this.history.seq;
      this.history = {};
    }
  }

  /** A message with a number in it has arrived somewhere else. */
  heard(text, at) {
    const number = text.startsWith('["presence"', at) ? numberAfter(text, '"x":', at) : eventNumber(text, at);
    if (number === null) return;
    const now = performance.now();
    const slot = number % RING;
    if (this.numbers[slot] !== number) strays++;
    else if (measuring) latencies.push(now - this.sent[slot]);
  }

  next() {
    const number = ++this.number;
    this.numbers[number % RING] = number;
    this.sent[number % RING] = performance.now();
    return number;
  }

  drag() {
    const spot = { model: this.model?.id ?? "model", x: this.next(), y: 120_000, facing: 0 };
    this.lines[0].emit("point", { kind: "drag", spots: [spot] });
  }

  /** Something that is written down; when the last was not answered yet, nothing. */
  act() {
    if (this.busy) return void late++;
    const number = this.next();
    const action = asked.actions[number % asked.actions.length];
    const args = action === "free_move" ? this.step(number) : { sides: 6, count: 10, why: `#${number}#` };
    this.busy = true;
    this.lines[0].ask("do", { id: fresh(), action, at: this.seq, args })
      .then(({ seq }) => { this.seq = seq; answered.push(performance.now() - this.sent[number % RING]); })
      .catch((wrong) => { failed.push(String(wrong)); })
      .finally(() => { this.busy = false; });
  }

  step(number) {
    const { id, pose } = this.model;
    return { moves: [{ model: id, pose: { ...pose, x: pose.x - (pose.x % 10_000) + number }, via: [] }] };
  }
}

/** A table whose player, about to shoot, asks for the odds of one target after another. */
class Pondering extends Table {
  async prepare() {
    await this.begin();
    this.line = await this.join("south", () => {});
    this.seq = this.line.seq;
    await this.tell("do", { action: "pass" });
    const fire = (await this.look()).offers.find((offer) => offer.action === "fire");
    await this.tell("do", { action: "fire", subject: fire.models[0] });
    await this.reply((question) => question.options.find((option) => option.id === "direct") ?? question.options[0]);
    const [asked, question] = Object.entries((await this.look()).questions)[0];
    this.targets = question.options.map((option) => ({ question: Number(asked), option: option.id }));
  }

  async tell(event, payload) {
    this.seq = (await this.line.ask(event, { id: fresh(), ...(event === "do" ? { at: this.seq } : {}), ...payload })).seq;
  }

  async look() {
    return (await this.line.ask("join", { since: this.seq })).standing;
  }

  async reply(choose) {
    const [asked, question] = Object.entries((await this.look()).questions)[0];
    await this.tell("answer", { question: Number(asked), value: choose(question).id });
  }

  async ponder() {
    const start = performance.now();
    await this.line.ask("odds", this.targets[this.number++ % this.targets.length]);
    return performance.now() - start;
  }
}

let late = 0;
let answered = [];
let failed = [];

function numberAfter(text, mark, from) {
  const at = text.indexOf(mark, from);
  return at < 0 ? null : parseInt(text.slice(at + mark.length, at + mark.length + 12), 10);
}

function eventNumber(text, at) {
  if (!text.startsWith('["events"', at)) return null;
  const rolled = numberAfter(text, "#", at);
  if (rolled !== null) return rolled;
  const moved = text.indexOf('"models_moved"', at);
  const x = moved < 0 ? null : numberAfter(text, '"x":', moved);
  return x === null ? null : x % 10_000;
}

/** A model of the south with much room around it. */
function loneliest(models) {
  const all = Object.values(models);
  const room = (one) => Math.min(...all.filter((other) => other !== one)
    .map((other) => Math.hypot(other.pose.x - one.pose.x, other.pose.y - one.pose.y)));
  const own = all.filter((model) => model.owner === "south").map((model) => ({ model, room: room(model) }));
  return own.sort((a, b) => b.room - a.room)[0].model;
}

// ---------------------------------------------------------------- what the machine was doing

function serverStat() {
  if (!asked.pid) return { cpu: 0, memory: 0 };
  const stat = fs.readFileSync(`/proc/${asked.pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const memory = Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${asked.pid}/status`, "utf8"))[1]) / 1024;
  return { cpu: (Number(fields[11]) + Number(fields[12])) / 100, memory };
}

function machineBusy() {
  const fields = fs.readFileSync("/proc/stat", "utf8").split("\n")[0].trim().split(/\s+/).slice(1).map(Number);
  return (fields[0] + fields[1] + fields[2] + fields[5] + fields[6] + fields[7]) / 100;
}

function snapshot() {
  const own = process.cpuUsage();
  return { at: performance.now(), server: serverStat(), own: (own.user + own.system) / 1e6, busy: machineBusy() };
}

const sorted = (values) => values.slice().sort((a, b) => a - b);
const percentile = (values, share) => (values.length ? sorted(values)[Math.min(values.length - 1, Math.floor(values.length * share))] : null);
const spread = (values) => ({ p50: percentile(values, 0.5), p99: percentile(values, 0.99), most: percentile(values, 1), count: values.length });

// ---------------------------------------------------------------- runs

const tables = [];
const thinker = new Pondering();

async function grow(count) {
  while (tables.length < count) {
    const table = new Table();
    await table.fill();
    tables.push(table);
  }
}

async function measure(work) {
  latencies = []; answered = []; failed = []; strays = 0; late = 0;
  const period = 1000 / asked.hz;
  const start = performance.now() + 20;
  const due = tables.map((_, i) => start + (i * period) / tables.length);
  const from = start + asked.settle * 1000;
  const until = from + asked.seconds * 1000;
  const visits = [];
  let sent = 0;
  let before = null;
  let visiting = null;
  let nextVisit = from + 150;
  const ponderings = [];
  let pondering = null;
  while (performance.now() < until) {
    const now = performance.now();
    if (!before && now >= from) { before = snapshot(); measuring = true; answered = []; }
    for (let i = 0; i < tables.length; i++) while (due[i] <= now) {
      if (now - due[i] > 20) late++;
      work(tables[i]);
      due[i] += period;
      if (measuring) sent++;
    }
    if (asked.joins && measuring && !visiting && now > nextVisit) {
      visiting = visit().then((line) => visits.push(line), (wrong) => failed.push(String(wrong))).finally(() => { visiting = null; nextVisit = performance.now() + 100; });
    }
    if (asked.odds && measuring && !pondering) {
      pondering = thinker.ponder().then((took) => ponderings.push(took), (wrong) => failed.push(String(wrong)))
        .then(() => sleep(300)).finally(() => { pondering = null; });
    }
    await sleep(1);
  }
  const after = snapshot();
  await sleep(400);
  measuring = false;
  await Promise.all([visiting, pondering]);
  const seconds = (after.at - before.at) / 1000;
  const server = after.server.cpu - before.server.cpu;
  const own = after.own - before.own;
  return {
    tables: tables.length, lines: tables.length * (2 + asked.spectators), sent, delivered: latencies.length,
    share: latencies.length / Math.max(1, sent * (1 + asked.spectators)), seen: spread(latencies), answered: spread(answered),
    cpu: server / seconds, cpu_per_thousand: (1000 * server) / Math.max(1, latencies.length), memory: after.server.memory,
    generator: own / seconds, other_cpu: Math.max(0, (after.busy - before.busy - server - own) / seconds), late, strays,
    failed: failed.slice(0, 3), joined: spread(visits.map((line) => line.joinedIn)), fetched: spread(visits.map((line) => line.fetchedIn)),
    history: visits[0]?.size ?? null, odds: spread(ponderings),
  };
}

async function visit() {
  const line = await tables[Math.floor(tables.length / 2)].join("watch", () => {});
  line.close();
  return line;
}

const isTooMuch = (found) => found.share < 0.98 || found.seen.p99 > asked.limit;

async function ramp() {
  const empty = serverStat().memory;
  let best = null;
  for (let count = asked.tables; count <= asked.most; count = Math.round(count * asked.grow)) {
    await grow(count);
    let found = await measure((table) => table.drag());
    if (isTooMuch(found)) found = await measure((table) => table.drag()); // once more: one hiccup is no end
    console.error(`${count} tables: p99 ${found.seen.p99?.toFixed(2)} ms, ${Math.round(100 * found.cpu)} % of a core`);
    if (isTooMuch(found)) return { ...best, ended: found };
    best = { ...found, memory_per_table: (found.memory - empty) / count };
  }
  return { ...best, ended: null };
}

async function fixed() {
  const empty = serverStat().memory;
  await grow(asked.tables);
  if (asked.odds) await thinker.prepare();
  await sleep(1200);
  const full = serverStat().memory;
  const found = await measure(asked.run === "act" ? (table) => table.act() : (table) => table.drag());
  return { ...found, memory_per_table: (full - empty) / asked.tables };
}

/** One battle with that many models, for a page to show. */
async function fillOne() {
  const table = new Table();
  await table.begin();
  const line = await table.join("south", () => {});
  const { models, width, depth } = table.history.events[0].table;
  const south = Object.values(models).filter((model) => model.owner === "south");
  const { profile } = loneliest(models);
  const small = south.find((model) => model.profile !== profile)?.profile ?? profile;
  let wanted = asked.models - Object.keys(models).length;
  for (let x = 2; wanted > 0 && x < width / 10_000; x += 9) {
    for (let y = 2; wanted > 0 && y < depth / 10_000; y += 5) {
      const count = Math.min(20, wanted);
      const args = { profile: commonest(south) ?? small, count, wide: 5, at: { x: x * 10_000, y: y * 10_000 }, facing: 0 };
      const done = await line.ask("do", { id: fresh(), action: "add", at: line.seq, args }).catch(() => null);
      if (done) { wanted -= count; line.seq = done.seq; }
      await sleep(220);
    }
  }
  line.close();
  const model = loneliest(models);
  const { game, seats, watch } = table.links;
  return { game, seats, watch, models: asked.models - wanted, model };
}

function commonest(models) {
  const counts = new Map();
  for (const { profile } of models) counts.set(profile, (counts.get(profile) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

let found;
try {
  found = await (asked.run === "fill" ? fillOne() : asked.ramp ? ramp() : fixed());
} catch (wrong) {
  found = { error: String(wrong), tables: tables.length };
}
for (const { lines } of tables) for (const line of lines) line.close();
await new Promise((done) => process.stdout.write(`${JSON.stringify(found)}\n`, done));
process.exit(0);
