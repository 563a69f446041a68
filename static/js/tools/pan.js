// Moves the table whatever lies under the pointer.
/** @import { Tool } from "./machine.js" */

/** @type {Tool} */
export const pan = {
  name: "pan",
  press: () => false,
  click: () => {},
};
