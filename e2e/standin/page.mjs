import { decode, encode } from './codec.mjs';

/** The JavaScript world of the preload script. It is separate from the page's own. */
export const PRELOAD_WORLD = 'electron-preload';

/**
 * Runs in the page's world. It exposes what contextBridge sends, and asks the app for windows instead of opening them.
 */
function installInPage() {
  if (window !== window.top) return;
  const tell = (kind, url) => document.dispatchEvent(new CustomEvent(`__standin:${kind}`, { detail: new URL(url, location.href).href }));
  const ask = (url) => tell('open', url);
  window.open = (url = '') => {
    ask(url);
    return null;
  };
  window.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[target=_blank], a[href^="mailto:"]');
    if (!link || event.defaultPrevented) return;
    event.preventDefault();
    // Chromium asks nobody before it hands a mail to the system, and Electron does.
    tell(link.target === '_blank' ? 'open' : 'navigate', link.href);
  });
  document.addEventListener('__standin:expose', ({ detail: { key, value } }) =>
    Object.defineProperty(window, key, { value: Object.freeze(value), enumerable: true, configurable: false, writable: false }),
  );
}

/** Runs in the preload script's world. It provides the `electron` that a sandboxed script may require. */
function installBesidePage(encodeValue, decodeValue, preload) {
  const send = (message) => globalThis.__standinSend(JSON.stringify(message));
  const ports = new Map();
  const notThere = (name, members) =>
    new Proxy(members, {
      get(object, key) {
        if (key in object) return object[key];
        throw new Error(`electron stand-in: ${name}.${String(key)} is not there`);
      },
    });
  const adopt = (port) => {
    const id = crypto.randomUUID();
    ports.set(id, port);
    port.onmessage = ({ data }) => send({ kind: 'port', id, data: encodeValue(data) });
    port.addEventListener('close', () => send({ kind: 'close', id }));
    return id;
  };
  globalThis.__standinReceive = ({ kind, id, data }) => {
    const port = ports.get(id);
    if (kind === 'port') port?.postMessage(decodeValue(data));
    else {
      port?.close();
      ports.delete(id);
    }
  };
  for (const kind of ['open', 'navigate']) document.addEventListener(`__standin:${kind}`, ({ detail }) => send({ kind, url: detail }));
  const electron = notThere('electron', {
    contextBridge: notThere('contextBridge', {
      // The structured clone refuses functions, and the console's bridge has none.
      exposeInMainWorld: (key, value) =>
        document.dispatchEvent(new CustomEvent('__standin:expose', { detail: { key, value: structuredClone(value) } })),
    }),
    ipcRenderer: notThere('ipcRenderer', {
      postMessage: (channel, message, transfer = []) =>
        send({ kind: 'message', channel, message: encodeValue(message), ports: transfer.map(adopt) }),
    }),
  });
  const require = (name) => {
    if (name === 'electron') return electron;
    throw new Error(`module not found: ${name} (a sandboxed preload script may only require electron)`);
  };
  const module = { exports: {} };
  preload(require, module, module.exports);
}

/** The script for the page's world. */
export const pageScript = `(${installInPage})()`;

/** The script for the preload world, with the built preload script inside. @param {string} preload */
export const preloadScript = (preload) => `
if (window === window.top && location.href !== 'about:blank')
  (${installBesidePage})(${encode}, ${decode}, (require, module, exports) => {${preload}\n});`;
