// The few things that travel over HTTP: the history of a game, claiming a seat, the system's cards.

export class Refusal extends Error {
  /** @param {number} status @param {string} code @param {string} message */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** @param {string} url @param {{token?: string | null, body?: unknown, method?: string}} [how] @returns {Promise<any>} */
export async function fetchJson(url, { token, body, method } = {}) {
  const headers = new Headers({ accept: "application/json" });
  if (token) headers.set("authorization", `Bearer ${token}`);
  if (body !== undefined) headers.set("content-type", "application/json");
  const response = await fetch(url, {
    method: method ?? (body === undefined ? "GET" : "POST"), headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const reply = await response.json().catch(() => null);
  if (response.ok) return reply;
  throw new Refusal(response.status, reply?.error?.code ?? "unknown", reply?.error?.message ?? "The server did not answer that.");
}
