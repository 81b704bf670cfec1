import { EventEmitter } from 'node:events';
import { record, strict } from './strict.mjs';

// Chromium does not know the app's schemes, so the stand-in loads `scheme://host/path` as
// `https://host.scheme-scheme.test/path`. That is a secure origin too. The app's handler answers it before a request
// reaches the network.
const SUFFIX = '-scheme.test';
const handlers = new Map();

/** The URL that Chromium loads for a URL of the app. */
export function toChromium(url) {
  const { protocol, host, pathname, search, hash } = new URL(url);
  const scheme = protocol.slice(0, -1);
  return handlers.has(scheme) ? `https://${host}.${scheme}${SUFFIX}${pathname}${search}${hash}` : url;
}

/** The URL that the app sees for a URL of Chromium. */
export function fromChromium(url) {
  const parsed = URL.parse(url);
  const match = /^(.+)\.([a-z0-9+-]+)-scheme\.test$/.exec(parsed?.hostname ?? '');
  return match === null ? url : `${match[2]}://${match[1]}${parsed.pathname}${parsed.search}${parsed.hash}`;
}

/** The app's handler for a URL of one of its own schemes. */
export const handlerFor = (url) => handlers.get(URL.parse(url)?.protocol.slice(0, -1));

/** The permission handlers that the app has set. Tests call them. */
export const permissions = { request: undefined, check: undefined };

export const protocol = strict('protocol', {
  registerSchemesAsPrivileged: (schemes) => record('protocol.registerSchemesAsPrivileged', schemes),
});

/** What the app decides about requests of its windows; it lets all of them pass until it has set a handler. */
let beforeRequest = (_request, answer) => answer({});
export const mayRequest = (url) => new Promise((resolve) => beforeRequest({ url }, ({ cancel }) => resolve(cancel !== true)));

/** The app's listeners for downloads. Tests emit the events; Chromium's own downloads never reach the app here. */
export const downloads = new EventEmitter();

export const session = strict('session', {
  defaultSession: strict('session.defaultSession', {
    on: (event, listener) => {
      if (event !== 'will-download') throw new Error(`electron stand-in: a session has no ${event}`);
      downloads.on(event, listener);
    },
    protocol: strict('session.defaultSession.protocol', { handle: (scheme, handler) => handlers.set(scheme, handler) }),
    webRequest: strict('session.defaultSession.webRequest', {
      onBeforeRequest: (listener) => {
        beforeRequest = listener;
      },
    }),
    setProxy: async (config) => record('session.setProxy', config),
    setPermissionRequestHandler: (handler) => {
      permissions.request = handler;
    },
    setPermissionCheckHandler: (handler) => {
      permissions.check = handler;
    },
  }),
});
