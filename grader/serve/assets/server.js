// What a page says to the server, and what the server says to the page.

/** The path of this run: all that is asked for lies below it. */
const BASE = new URL("../", import.meta.url);

// Whether the server of this page is there. When it has ended, another program can take its port: nothing is asked then.
let there = true;

/** A request. Its reply, and whether the server was there at all: without it, the status is 0. */
export const ask = async (method, path, { body, match } = {}) => {
  const headers = match === undefined ? {} : { "If-Match": `"${match}"` };
  const nobody = { ok: false, status: 0, held: {} };
  if (!there) return nobody;
  try {
    const reply = await fetch(new URL(path, BASE), { method, body, headers });
    const held = await reply.json().catch(() => ({}));
    return { ok: reply.ok, status: reply.status, held };
  } catch {
    return nobody;
  }
};

// A tab that was allowed to find its kit again asks now and then whether its server is back (see `serve/reconnection.py`).

const BETWEEN_LOOKS = 3000; // milliseconds
const hex = (bytes) => [...new Uint8Array(bytes)].map((one) => one.toString(16).padStart(2, "0")).join("");
const signed = async (secret, ...parts) => {
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return hex(await crypto.subtle.sign("HMAC", key, encoder.encode([...parts, location.port].join(" "))));
};
/** The address that opens the page again, and the path of the new run; null where no server proves that it is ours. */
const foundAgain = async (secret) => {
  const nonce = hex(crypto.getRandomValues(new Uint8Array(16)));
  const bare = { credentials: "omit", referrerPolicy: "no-referrer" };
  try {
    const { proof, challenge } = await (await fetch(`/again?nonce=${nonce}`, bare)).json();
    if (proof !== (await signed(secret, "server", nonce, challenge))) return null;
    const body = await signed(secret, "tab", nonce, challenge);
    const reply = await fetch("/again", { method: "POST", body, ...bare });
    return reply.ok ? await reply.json() : null;
  } catch {
    return null; // nobody answers, or somebody else
  }
};
/** Whether a page can prove and check anything here: browsers sign on pages of this machine and under https alone. */
export const canReconnect = Boolean(globalThis.crypto?.subtle);
const reconnect = async (secret, page) => {
  const found = document.visibilityState === "visible" ? await foundAgain(secret) : null;
  if (!found) {
    setTimeout(() => reconnect(secret, page), BETWEEN_LOOKS);
    return;
  }
  await fetch(found.opening); // it sets the cookie of the new run
  location.replace(found.page + page);
};

/**
 * Listen to the server, until it has gone.
 * @param {string} query what says which page listens
 * @param {string} proof what the server of this page says first, and no other program knows
 * @param {{secret: () => string, page: string}} again the secret by which the tab may find its kit again, empty if it may not,
 * and the path of this page
 * @param {(event: object) => void} take what to do with each event
 * @param {(gone: boolean, again: () => void) => void} state called when the server is there or gone; `again` asks once more
 */
export const listen = (query, proof, again, take, state) => {
  const open = () => {
    let proven = false;
    const address = new URL(`events${query}`, BASE);
    address.protocol = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(address);
    socket.onmessage = ({ data }) => {
      const event = JSON.parse(data);
      if (proven) return take(event);
      if (event.kind !== "hello" || event.proof !== proof) return socket.close();
      proven = there = true;
      state(false, open);
    };
    socket.onclose = () => {
      const was = there;
      there = false;
      state(true, open);
      if (was && again.secret() && canReconnect) reconnect(again.secret(), again.page);
    };
  };
  open();
};

/** Words with values in the place of `{names}`. */
export const put = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

/** Load a script once. */
export const load = (path) =>
  new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = new URL(path, BASE);
    script.onload = done;
    script.onerror = () => failed(new Error(path));
    if (there) document.head.append(script);
    else failed(new Error(path));
  });

/** A sentence with buttons below it, in place of what an element holds. */
export const decide = (element, text, ...choices) => {
  element.replaceChildren();
  if (!text) return;
  const said = document.createElement("p");
  said.textContent = text;
  element.append(said);
  for (const [label, act] of choices) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.addEventListener("click", () => {
      element.replaceChildren();
      act();
    });
    element.append(button);
  }
};
