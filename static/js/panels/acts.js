// What a panel can do: speak to the server, and change what is shown here.
/** @import { Intents } from "../net/intents.js" */
/** @import { Local } from "../state/local.js" */
/** @import { Store } from "../state/types" */
import { localIntents } from "../state/local.js";

/** @typedef {Intents & Local & {dispatch: Store["dispatch"], sitAs?: (token: string) => void, token?: () => string, fit?: () => void}} Acts */

/** @param {Store} store @param {Intents & {sitAs?: (token: string) => void, token?: () => string, fit?: () => void}} intents @returns {Acts} */
export const actsOf = (store, intents) => ({ ...intents, ...localIntents(store), dispatch: store.dispatch });
