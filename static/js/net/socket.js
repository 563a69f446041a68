// The line to the server: joins, follows, notices what is missing and asks for it, and sends again what was not answered.
/** @import { History, Joined, No, Pointing, Push, Seat } from "./types" */
/** @import { Pending, Store } from "../state/types" */
/** @import { Ack } from "./intents.js" */
import { io } from "socket.io-client";
import { digest } from "../state/digest.js";
import { localIntents } from "../state/local.js";
import { Refusal, fetchJson } from "./http.js";
import { randomHex } from "./ids.js";
import { outbox } from "./outbox.js";
import { device, holdToken, keepLinks, mixOf, sealed } from "./token.js";

export const PROTOCOL = 1;
const PATIENCE = 10_000;
/** A restart is over in seconds; who has been away for longer than a minute is asked for patience. */
const EAGER = 60_000;
const longest = (/** @type {number} */ away) => (away < EAGER ? 1_800 : 12_000);

/**
 * @param {Store} store
 * @param {{game: string, token: string, base?: string}} where
 */
export function connect(store, { game, token, base = "" }) {
  const local = localIntents(store);
  const sent = outbox(store);
  /** @type {Map<string, (ack: Ack) => void>} */
  const answers = new Map();
  /** Pushes that arrive while the history is fetched. @type {Push[] | null} */
  let held = null;
  let tries = 0;
  let ended = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let again;

  const socket = io("/table", {
    path: `${base}/socket.io`, transports: ["websocket"], query: { game },
    auth: (give) => give({ token, protocol: PROTOCOL }), reconnection: false,
  });

  socket.on("connect", join);
  socket.on("connect_error", (error) => refused(error.message));
  socket.on("disconnect", () => away());
  socket.on("events", follow);
  socket.on("presence", (items) => store.dispatch({ type: "presence", items: [items].flat(), at: performance.now() }));
  socket.on("crowd", (crowd) => store.dispatch({ type: "crowd", crowd }));
  socket.on("said", (said) => store.dispatch({ type: "said", said }));
  socket.on("bye", ({ reason }) => bye(reason));
  globalThis.addEventListener?.("online", () => !socket.connected && !ended && retry(0));

  /** Ask and wait, at most as long as a person would. @param {string} event @param {unknown} payload @returns {Promise<any>} */
  const ask = (event, payload) => socket.timeout(PATIENCE).emitWithAck(event, payload);

  async function join() {
    held = [];
    const since = store.get().seq;
    try {
      /** @type {Joined | No} */
      const reply = await ask("join", { since: since < 0 ? null : since });
      if (!reply.ok) return refused(reply.error.code, reply.error.message);
      if (reply.events) take({ first: since + 1, events: reply.events, hash: reply.hash, standing: reply.standing }, true);
      else await whole(reply.history);
      joined(reply);
    } catch {
      socket.disconnect();
    }
  }

  /** @param {Joined} reply */
  function joined(reply) {
    tries = 0;
    keepLinks(game, { [reply.role]: token });
    store.dispatch({ type: "joined", role: reply.role, standing: reply.standing, crowd: reply.crowd, chat: reply.chat });
    store.dispatch({ type: "link", link: "live", at: Date.now() });
    release();
    resend();
    reveal();
  }

  /** The whole log, over HTTP. @param {string | null} [url] */
  async function whole(url) {
    held ??= [];
    /** @type {History} */
    const history = await fetchJson(url ?? `${base}/api/t/${game}/history`, { token });
    store.dispatch({ type: "history", events: history.events, hash: history.hash });
  }

  /** What was pushed meanwhile, in order. */
  function release() {
    const waiting = held ?? [];
    held = null;
    for (const push of waiting) follow(push);
  }

  /** @param {Push} push */
  function follow(push) {
    if (held) return void held.push(push);
    if (push.first > store.get().seq + 1) return void join();
    take(push, document.hidden);
    reveal();
  }

  /** @param {Push} push @param {boolean} instant */
  function take(push, instant) {
    try {
      store.dispatch({ type: "events", ...push, instant });
    } catch (error) {
      console.warn("an event names what this page does not have", error);
      return mend();
    }
    const { table, hash, seq } = store.get();
    if (table && hash && seq === (push.events.at(-1)?.seq ?? seq) && digest(table) !== hash) mend();
  }

  let mended = 0;
  /** The page has drifted from the server: take the whole history, and no more than once a while. */
  function mend() {
    if (held || Date.now() - mended < 5_000) return;
    mended = Date.now();
    held = [];
    whole().then(release, () => socket.disconnect());
  }

  /** @param {string} code @param {string} [message] */
  function refused(code, message) {
    if (code === "protocol") return renew();
    if (["unknown", "revoked", "not_yours"].includes(code)) return end(message ?? "This link is no longer valid. Ask for a new one.");
    away();
  }

  function away() {
    held = null;
    if (ended) return;
    store.dispatch({ type: "link", link: store.get().seq < 0 ? "connecting" : "away", at: Date.now() });
    retry();
  }

  /** Wait longer each time, and not in step with the other pages. */
  function patience() {
    const away = Date.now() - (store.get().awaySince ?? Date.now());
    return Math.min(longest(away), 250 * 2 ** Math.min(tries, 8)) * (0.5 + Math.random());
  }

  /** @param {number} [after] */
  function retry(after = patience()) {
    tries += 1;
    clearTimeout(again);
    again = setTimeout(() => { if (!ended && !socket.connected) socket.connect(); }, after);
  }

  /** @param {string} reason */
  function bye(reason) {
    if (reason === "protocol") return renew();
    if (reason === "revoked") return end("This link was replaced by a new one.");
    if (reason === "slow") local.notice("This device fell behind; catching up.", "warn");
  }

  /** @param {string} message */
  function end(message) {
    ended = true;
    store.dispatch({ type: "link", link: "gone", at: Date.now() });
    local.notice(message, "bad");
    socket.disconnect();
  }

  /** The server is newer than this page. Once only, so that a broken install does not turn in circles. */
  function renew() {
    const key = `linstock:renewed:${game}`;
    if (Date.now() - Number(device.get(key) ?? 0) < 30_000) return end("This page is older than the server. Reload it.");
    device.set(key, String(Date.now()));
    location.reload();
  }

  function resend() {
    for (const old of sent.stale(Date.now())) {
      sent.drop(old.id);
      local.notice("Something sent long ago was not answered and is not sent again.", "warn");
    }
    for (const entry of sent.waiting()) emit(entry);
  }

  /** @param {Pending} entry */
  function emit({ id, event, payload }) {
    socket.emit(event, payload, (/** @type {Ack} */ ack) => acknowledged(id, event, ack));
  }

  /** @param {string} id @param {Pending["event"]} event @param {Ack | undefined} ack */
  function acknowledged(id, event, ack) {
    if (ack && !ack.ok && ["busy", "restarting"].includes(ack.error.code)) return void setTimeout(() => emitAgain(id), 400);
    sent.drop(id);
    answers.get(id)?.(ack ?? { ok: true, seq: store.get().seq });
    answers.delete(id);
    if (ack && !ack.ok && event !== "mix") local.notice(ack.error.message, "bad", ack.error.rule);
  }

  /** @param {string} id */
  function emitAgain(id) {
    const entry = store.get().pending[id];
    if (entry && socket.connected) emit(entry);
  }

  /** Show what this seat mixes into the dice, once both have chosen. */
  function reveal() {
    const { role, log } = store.get();
    if (role !== "south" && role !== "north") return;
    const seated = (/** @type {Seat} */ seat) => log.findLast((event) => event.kind === "seated" && event.seat === seat);
    const own = seated(role);
    const mix = mixOf(game, role);
    if (!mix || !seated("south") || !seated("north") || !own || own.kind !== "seated" || own.mix !== sealed(mix)) return;
    if (log.some((event) => (event.kind === "mixed" && event.seat === role) || event.kind === "rolled")) return;
    if (Object.values(store.get().pending).some((entry) => entry.event === "mix")) return;
    command("mix", { id: randomHex(12), mix });
  }

  /** @param {Pending["event"]} event @param {Record<string, unknown> & {id: string}} payload @returns {Promise<Ack>} */
  function command(event, payload) {
    const entry = { id: payload.id, event, payload, at: Date.now(), state: /** @type {const} */ ("sent") };
    sent.put(entry);
    const reply = new Promise((/** @type {(ack: Ack) => void} */ settle) => answers.set(entry.id, settle));
    if (socket.connected && store.get().link === "live") emit(entry);
    return reply;
  }

  sent.recall();
  return {
    command,
    /** @param {string} event @param {unknown} payload @returns {Promise<any>} */
    ask: (event, payload) => ask(event, payload).catch(() => ({ ok: false, error: { code: "busy", message: "The server did not answer in time." } })),
    /** @param {Pointing} item */
    point: (item) => { if (socket.connected) socket.volatile.emit("point", item); },
    token: () => token,
    /** Go on with another link to the same game, as on a shared screen. @param {string} other */
    sitAs(other) {
      if (other === token) return;
      token = other;
      ended = false;
      holdToken(game, other);
      socket.disconnect();
      retry(0);
    },
    close() {
      ended = true;
      socket.disconnect();
    },
  };
}

/** @typedef {ReturnType<typeof connect>} Connection */
