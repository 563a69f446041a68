// Saving the battle as a file.
/** @import { State } from "../state/types" */
/** @import { Acts } from "./acts.js" */
import { linksOf } from "../net/token.js";

/** @param {State} state @param {Acts} acts */
export async function exportGame(state, acts) {
  const token = state.role ? linksOf(state.game)[state.role] : undefined;
  const response = await fetch(`/api/t/${state.game}/export`, { headers: { authorization: `Bearer ${token}` } }).catch(() => null);
  if (!response?.ok) return acts.notice("The battle could not be fetched. Try again when the line is back.", "bad");
  saveAs(await response.blob(), `linstock-${state.game}.jsonl`);
}

/** @param {Blob} blob @param {string} name */
export function saveAs(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
