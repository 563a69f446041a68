// Chat, kept apart from the log.
/** @import { State } from "../state/types" */
/** @import { Acts } from "./acts.js" */
import { html, nothing } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { isSeat, seatMark } from "./names.js";
import { submit } from "./parts.js";
import { text } from "./text.js";

/** @param {State} state @param {Acts} acts */
export function chatPanel(state, acts) {
  const said = state.chat.slice(-300);
  const waiting = Object.values(state.pending).filter((entry) => entry.event === "say" && entry.state === "sent");
  return html`<ul class="chat" id="chat" role="log" aria-live="polite" aria-label=${text.tabs.chat}>
      ${said.length || waiting.length ? nothing : html`<li class="muted">${text.chatEmpty}</li>`}
      ${repeat(said, (line) => line.number, (line) => html`<li>${isSeat(line.role) ? seatMark(line.role) : nothing}
        <b class=${line.role}>${line.name || text.side[line.role]}</b> ${line.text}</li>`)}
      ${waiting.map((entry) => html`<li class="muted">${entry.payload["text"]} (${text.busy})</li>`)}</ul>
    <div class="phrases" role="group" aria-label=${text.chatField}>${text.phrases.map((phrase) => html`<button @click=${() => acts.say(phrase)}>${phrase}</button>`)}</div>
    <form class="say" @submit=${submit((form) => send(acts, form))}>
      <input name="text" maxlength="500" autocomplete="off" aria-label=${text.chatField} placeholder=${text.chatField}><button class="primary">${text.send}</button></form>`;
}

/** @param {Acts} acts @param {HTMLFormElement} form */
function send(acts, form) {
  const words = String(new FormData(form).get("text") ?? "").trim();
  if (!words) return;
  acts.say(words);
  form.reset();
}
