// Hashing for the verification page, by the browser's own WebCrypto.
const utf8 = new TextEncoder();

/** Browsers keep WebCrypto from pages of plain http other than this machine. */
export const canVerify = () => globalThis.crypto?.subtle !== undefined;

/** @param {string} hex */
export const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @param {ArrayBuffer} buffer */
const hexOf = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {...(string | Uint8Array)} parts @returns {Promise<string>} */
export async function sha256(...parts) {
  const pieces = parts.map((part) => (typeof part === "string" ? utf8.encode(part) : part));
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return hexOf(await crypto.subtle.digest("SHA-256", all));
}

/** @param {Uint8Array} key @returns {Promise<(message: string) => Promise<Uint8Array>>} */
export async function hmac(key) {
  const made = await crypto.subtle.importKey("raw", /** @type {Uint8Array<ArrayBuffer>} */ (key), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return async (message) => new Uint8Array(await crypto.subtle.sign("HMAC", made, utf8.encode(message)));
}
