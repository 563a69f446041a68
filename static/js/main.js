// The table page: the store, the line to the server, the board, the hand on it, and the panels around it.
/** @import { Hand, Sight } from "./tools/machine.js" */
/** @import { State, Store } from "./state/types" */
import { fetchJson } from "./net/http.js";
import { intents as intentsOf } from "./net/intents.js";
import { connect } from "./net/socket.js";
import { takeToken } from "./net/token.js";
import { mountPanels } from "./panels/index.js";
import { localIntents } from "./state/local.js";
import { playReplay } from "./state/replay.js";
import { scene } from "./state/select.js";
import { createStore } from "./state/store.js";
import { takeUp } from "./tools/hand.js";
import { Board } from "./view/board.js";
import { modelAt } from "./view/hit.js";
import { playout } from "./view/playout.js";

/** Where the program lives, when a proxy puts it below a path. */
const base = location.pathname.replace(/\/(t|replay)\/[^/]*$/, "");
const game = document.body.dataset["game"] ?? "";

start();

function start() {
  const store = createStore();
  store.dispatch({ type: "game", game });
  const host = /** @type {HTMLElement} */ (document.getElementById("board"));
  const board = new Board(host, store);
  const token = takeToken(game);
  if (!token) return strangers(store);
  const connection = connect(store, { game, token, base });
  const intents = { ...intentsOf(store, connection), sitAs: connection.sitAs, token: connection.token, fit: () => board.camera.fit() };
  const plays = playout(store, board);
  playReplay(store);
  readRules(store);
  takeUp(host, handOf(store, intents, board, plays.skip));
  mountPanels(store, intents);
}

/** No link, no seat: say so instead of an empty table. @param {Store} store */
function strangers(store) {
  store.dispatch({ type: "link", link: "gone", at: Date.now() });
  const nobody = () => Promise.resolve(/** @type {const} */ ({ ok: false, error: { code: "unknown", message: "This page has no link to the game." } }));
  const silent = { act: nobody, answer: nobody, propose: nobody, vote: nobody, say: nobody, mix: nobody, odds: nobody, point: () => {} };
  mountPanels(store, silent);
}

/** @param {Store} store @param {import("./net/intents.js").Intents} intents @param {Board} board @param {() => boolean} skip @returns {Hand} */
function handOf(store, intents, board, skip) {
  return { store, intents, skip, local: localIntents(store), sight: sightOf(store, board) };
}

/** @param {Store} store @param {Board} board @returns {Sight} */
function sightOf(store, board) {
  const { camera } = board;
  return {
    point: (px, py) => camera.point(px, py),
    model(px, py, grasp) {
      const { shown } = store.get();
      return shown ? modelAt(shown, camera, px, py, grasp) : null;
    },
    pan: (dx, dy) => camera.pan(dx, dy),
    zoom: (factor, px, py) => camera.zoom(factor, px, py),
    fit: () => camera.fit(),
    home: () => camera.home(scene(store.get()), board.still.matches),
    scale: () => camera.scale,
  };
}

/** The system's cards, phases and rules, as soon as it is known which system it is. @param {Store} store */
function readRules(store) {
  let asked = "";
  const read = async (/** @type {State} */ state) => {
    const system = state.opened?.system;
    if (!system || system === asked) return;
    asked = system;
    try {
      store.dispatch({ type: "meta", meta: await fetchJson(`${base}/api/systems/${encodeURIComponent(system)}`) });
    } catch {
      setTimeout(() => { asked = ""; read(store.get()); }, 3_000);
    }
  };
  store.subscribe(read);
}
