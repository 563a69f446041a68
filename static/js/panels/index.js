// The standing half of the page: panels around the canvas, drawn anew from the store once a frame at most.
/** @import { Intents } from "../net/intents.js" */
/** @import { State, Store } from "../state/types" */
/** @import { Acts } from "./acts.js" */
import { html, nothing, render } from "lit-html";
import { actsOf } from "./acts.js";
import { chatPanel } from "./chat.js";
import { connectionBanner, header } from "./clock.js";
import { applyTextSize, dialogs, keptSettings } from "./dialogs.js";
import { exportGame } from "./files.js";
import { gaze } from "./gaze.js";
import { claimPanel, inviteBanner, nextSeat, sitAs } from "./invite.js";
import { keys } from "./keys.js";
import { logPanel } from "./log.js";
import { motionBanner } from "./motion.js";
import { remember } from "./mygames.js";
import { selectedPanel } from "./offers.js";
import { askedOf, promptPanel } from "./questions.js";
import { noticeView, rail } from "./rail.js";
import { leave, replayPanel } from "./replay.js";
import { rosterPanel } from "./roster.js";
import { text } from "./text.js";
import { linksOf } from "../net/token.js";

/** A prompt younger than this is not answered: what was under the pointer a moment ago was something else. */
const GUARD = 500;
/** How long a notice stands. */
const NOTICE = 7_000;

/** After this the page says that connecting takes long. */
const SLOW = 10_000;

/** @typedef {Intents & {sitAs?: (token: string) => void, fit?: () => void}} Speaking */
/** @typedef {{key: string, until: number}} Guard */

/**
 * Draw every panel into the page's places and keep them in step with the store.
 * @param {Store} store @param {Speaking} intents @param {ParentNode} root
 * @returns {() => void} how to stop
 */
export function mountPanels(store, intents, root = document) {
  const acts = actsOf(store, intents);
  const places = placesOf(root);
  for (const name of PLACES) places[name].replaceChildren();
  const guards = { question: newGuard(), motion: newGuard() };
  let waits = false;
  const draw = () => {
    waits = false;
    drawAll(store.get(), acts, places, guards, later);
  };
  const soon = () => {
    if (!waits) requestAnimationFrame(draw);
    waits = true;
  };
  const later = (/** @type {number} */ ms) => void setTimeout(soon, ms);
  applyTextSize();
  acts.settings(keptSettings());
  const stops = [store.subscribe((state, before) => { after(state, before, acts); fade(store, acts, before); soon(); }), gaze(store, acts), keys(store, acts, guards)];
  setTimeout(() => acts.show({ slow: true }), SLOW);
  soon();
  return () => stops.forEach((stop) => stop());
}

/** @returns {Guard} */
const newGuard = () => ({ key: "", until: 0 });

/** @param {Guard} guard @param {string} key @param {(ms: number) => void} later */
function isGuarded(guard, key, later) {
  const now = performance.now();
  if (guard.key !== key) {
    Object.assign(guard, { key, until: now + GUARD });
    if (key) later(GUARD + 5);
  }
  return key !== "" && now < guard.until;
}

const PLACES = /** @type {const} */ (["header", "banners", "left", "rail", "notice", "prompt", "right", "over"]);
/** @typedef {Record<typeof PLACES[number], HTMLElement> & {desk: HTMLElement}} Places */

/** @param {ParentNode} root @returns {Places} */
function placesOf(root) {
  const find = (/** @type {string} */ name) => /** @type {HTMLElement} */ (root.querySelector(`[data-place="${name}"]`));
  return /** @type {Places} */ (Object.fromEntries([...PLACES, "desk"].map((name) => [name, find(name)])));
}

/** @param {State} state @param {Acts} acts @param {Places} places @param {{question: Guard, motion: Guard}} guards @param {(ms: number) => void} later */
function drawAll(state, acts, places, guards, later) {
  const question = isGuarded(guards.question, askedOf(state)?.[0] ?? "", later);
  const motion = isGuarded(guards.motion, String(state.standing.motion ?? ""), later);
  const drawer = String(state.show["drawer"] ?? "");
  places.desk.dataset["drawer"] = drawer;
  drawn(places.header, () => header(state, acts));
  drawn(places.banners, () => html`${connectionBanner(state)}${motionBanner(state, acts, motion)}${pastBanner(state, acts)}${inviteBanner(state, acts)}`);
  drawn(places.left, () => selectedPanel(state, acts));
  drawn(places.rail, () => rail(state, acts));
  drawn(places.notice, () => noticeView(state, acts));
  drawn(places.prompt, () => promptPanel(state, acts, question));
  keepingEnd(places.right, () => drawn(places.right, () => rightPanel(state, acts)));
  drawn(places.over, () => html`${drawer ? html`<button class="scrim" aria-label=${text.close} @click=${() => acts.drawer(null)}></button>` : nothing}
    ${claimPanel(state, acts)}${dialogs(state, acts)}`);
}

/** One panel that cannot be drawn must not take the others with it. @param {HTMLElement} place @param {() => unknown} view */
function drawn(place, view) {
  try {
    render(view(), place);
  } catch (error) {
    console.error(`the ${place.dataset["place"]} panel could not be drawn`, error);
  }
}

/** @param {State} state @param {Acts} acts */
const pastBanner = (state, acts) => (state.cursor === null ? nothing : html`<div class="banner" role="status">
  <span>${text.replay.viewing(state.cursor + 1)}</span><button @click=${() => leave(acts)}>${text.replay.live}</button></div>`);

export const TABS = /** @type {const} */ (["log", "chat", "army", "replay"]);

/** @param {State} state @param {Acts} acts */
function rightPanel(state, acts) {
  const tab = tabOf(state);
  const unread = Math.max(0, state.chat.length - Number(state.show["read"] ?? 0));
  return html`<div class="tabs" role="tablist" aria-label=${text.panels.right}>${TABS.map((name) => html`<button role="tab" id="tab-${name}" aria-controls="tabpanel"
      aria-selected=${name === tab} tabindex=${name === tab ? 0 : -1} @click=${() => acts.tab(name)} @keydown=${(/** @type {KeyboardEvent} */ event) => walkTabs(event, acts, name)}>
      ${text.tabs[name]}${name === "chat" && unread && tab !== "chat" ? html` <span class="count">${unread}</span>` : nothing}</button>`)}</div>
    <div class="tabpanel" id="tabpanel" role="tabpanel" aria-labelledby="tab-${tab}">${VIEWS[tab](state, acts)}</div>`;
}

/** @type {Record<typeof TABS[number], (state: State, acts: Acts) => unknown>} */
const VIEWS = {
  log: logPanel, chat: chatPanel, army: rosterPanel,
  replay: (state, acts) => replayPanel(state, acts, { save: () => exportGame(state, acts), share: (seq) => momentLink(state, seq) }),
};

/** @param {State} state @returns {typeof TABS[number]} */
const tabOf = (state) => TABS.find((name) => name === state.show["tab"]) ?? "log";

/** @param {KeyboardEvent} event @param {Acts} acts @param {typeof TABS[number]} name */
function walkTabs(event, acts, name) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by === undefined) return;
  const next = TABS[(TABS.indexOf(name) + by + TABS.length) % TABS.length];
  acts.tab(next ?? "log");
  event.preventDefault();
  requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById(`tab-${next}`)?.focus()));
}

/** A link to look at with: a watcher's, never a seat's. @param {State} state @param {number} seq */
function momentLink({ game, role }, seq) {
  const links = linksOf(game);
  const token = links.watch ?? (role === "watch" ? links[role] : undefined);
  const page = `${location.origin}/replay/${game}?at=${seq}`;
  return token ? `${page}#${token}` : page;
}

/** Who reads at the end stays at the end. @param {HTMLElement} place @param {() => void} draw */
function keepingEnd(place, draw) {
  const before = place.querySelector("#log, #chat");
  const atEnd = !before || before.scrollHeight - before.scrollTop - before.clientHeight < 60;
  draw();
  const list = place.querySelector("#log, #chat");
  if (list && (atEnd || list.id !== before?.id)) list.scrollTop = list.scrollHeight;
}

/** What follows from a change without anybody clicking. @param {State} state @param {State} before @param {Acts} acts */
function after(state, before, acts) {
  if (state.opened && state.opened !== before.opened) opened(state, acts);
  if (state.show["tab"] === "chat" && state.show["read"] !== state.chat.length) queueMicrotask(() => acts.show({ read: state.chat.length }));
  if (state.meta && state.meta !== before.meta) remember(state.game, { system: state.meta.name });
  const seat = nextSeat(state);
  if (seat && nextSeat(before) !== seat) queueMicrotask(() => sitAs(state, acts, seat));
}

/** A notice goes by itself, unless a newer one took its place. @param {Store} store @param {Acts} acts @param {State} before */
function fade(store, acts, before) {
  const { notice } = store.get();
  if (notice && notice !== before.notice) setTimeout(() => store.get().notice === notice && acts.quiet(), NOTICE);
}

/** @param {State} state @param {Acts} acts */
function opened(state, acts) {
  document.title = `${state.opened?.title || "Linstock"} · Linstock`;
  remember(state.game, { title: state.opened?.title ?? "" });
  const at = new URLSearchParams(location.search).get("at");
  const isReplay = document.body.dataset["page"] === "replay";
  if (!isReplay && at === null) return;
  queueMicrotask(() => {
    acts.tab("replay");
    acts.cursor(at === null ? 0 : Number(at) || 0);
  });
}
