// What a page says to the server, and what the server says to the page.

/** A request that changes something. Its reply, and whether the server was there at all. */
export const ask = async (method, path, { body, match } = {}) => {
  const headers = match === undefined ? {} : { "If-Match": `"${match}"` };
  try {
    const reply = await fetch(path, { method, body, headers });
    const held = await reply.json().catch(() => ({}));
    return { ok: reply.ok, status: reply.status, held };
  } catch {
    return { ok: false, status: 0, held: {} };
  }
};

const SOONEST = 500;
const LATEST = 5000;

/**
 * Listen to the server, and again after it has gone.
 * @param {string} query what says which page listens
 * @param {(event: object) => void} take what to do with each event
 * @param {(why: "" | "ended" | "restarted") => void} state called when the server is there, gone, or a new one
 */
export const listen = (query, take, state) => {
  let wait = SOONEST;
  const open = () => {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/events${query}`);
    socket.onopen = () => {
      wait = SOONEST;
      state("");
    };
    socket.onmessage = ({ data }) => take(JSON.parse(data));
    socket.onclose = async () => {
      // A server that was started again refuses the token of the one before.
      const { status } = await ask("GET", "/assets/server.js");
      state(status === 403 ? "restarted" : status === 0 ? "ended" : "");
      setTimeout(open, wait);
      wait = Math.min(2 * wait, LATEST);
    };
  };
  open();
};

/** Words with values in the place of `{names}`. */
export const put = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

/** Load a script once. */
export const load = (address) =>
  new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = done;
    script.onerror = () => failed(new Error(address));
    document.head.append(script);
  });
