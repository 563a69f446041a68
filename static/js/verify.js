// The page on which anybody verifies the dice of a battle. Nothing of the file leaves the browser.
/** @import { Finding, Proof } from "./verify/check.js" */
import { html, nothing, render } from "lit-html";
import { applyTextSize } from "./panels/dialogs.js";
import { check } from "./verify/check.js";
import { canVerify } from "./verify/crypto.js";

/** @typedef {{state: "idle"} | {state: "busy", done: number} | {state: "wrong", text: string} | {state: "done", proof: Proof}} View */

const WORDS = {
  insecure: "This browser offers no cryptography to pages of plain http. Open this page over https, or on the machine the server runs on (localhost).",
  drop: "Choose a battle saved as a file, or drop it here.",
  field: "Saved battle (.jsonl)",
  busy: (/** @type {number} */ done) => `Working: event ${done} …`,
  sound: "Everything agrees.",
  broken: "Something does not agree.",
  partly: "What can be told so far agrees.",
  facts: (/** @type {Proof} */ { events, dice, game }) => `${events} events, ${dice} dice, game ${game}`,
  names: { chain: "The log", commitment: "The server's seed", mixes: "The players' mixes", dice: "The dice" },
};

/** @param {View} view */
function draw(view) {
  const root = document.getElementById("verify");
  if (root) render(canVerify() ? page(view) : html`<p class="alert" role="alert">${WORDS.insecure}</p>`, root);
}

/** @param {View} view */
const page = (view) => html`
  <label class="drop" @dragover=${over} @dragleave=${leave} @drop=${dropped}><span>${WORDS.drop}</span>
    <input type="file" accept=".jsonl,.json,.txt,application/x-ndjson" aria-label=${WORDS.field} @change=${(/** @type {Event} */ event) => taken(/** @type {HTMLInputElement} */ (event.target).files)}></label>
  <div aria-live="polite" class="stack">${outcome(view)}</div>`;

/** @param {View} view */
function outcome(view) {
  if (view.state === "busy") return html`<p>${WORDS.busy(view.done)}</p>`;
  if (view.state === "wrong") return html`<p class="alert">${view.text}</p>`;
  if (view.state !== "done") return nothing;
  const { proof } = view;
  const good = proof.findings.every((finding) => finding.good !== false);
  const whole = proof.findings.every((finding) => finding.good);
  return html`<h2 class=${good ? "good" : "bad"}>${good ? "✓" : "✗"} ${whole ? WORDS.sound : good ? WORDS.partly : WORDS.broken}</h2>
    <p><b>${proof.title}</b> <span class="muted">${WORDS.facts(proof)}</span></p>
    <ul class="proof">${proof.findings.map(line)}</ul>`;
}

/** @param {Finding} finding */
const line = ({ name, good, text }) => html`<li><span class=${good ? "good" : good === false ? "bad" : "muted"} aria-hidden="true">${good ? "✓" : good === false ? "✗" : "–"}</span>
  <span><b>${WORDS.names[name]}:</b> ${text}</span></li>`;

/** @param {DragEvent} event */
function over(event) {
  event.preventDefault();
  /** @type {HTMLElement} */ (event.currentTarget).classList.add("over");
}

/** @param {DragEvent} event */
const leave = (event) => /** @type {HTMLElement} */ (event.currentTarget).classList.remove("over");

/** @param {DragEvent} event */
function dropped(event) {
  event.preventDefault();
  leave(event);
  taken(event.dataTransfer?.files ?? null);
}

/** @param {FileList | null} files */
async function taken(files) {
  const file = files?.[0];
  if (!file) return;
  draw({ state: "busy", done: 0 });
  try {
    draw({ state: "done", proof: await check(await file.text(), (done) => draw({ state: "busy", done })) });
  } catch (error) {
    draw({ state: "wrong", text: error instanceof Error ? error.message : String(error) });
  }
}

applyTextSize();
draw({ state: "idle" });
