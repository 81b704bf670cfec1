import { EventEmitter } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startChromium, stopChromium } from './chromium.mjs';
import { SingleInstance } from './single-instance.mjs';
import { record, strict } from './strict.mjs';

/** All open windows by the id of their contents. */
export const windows = new Map();

let options;
let instances;
let quitting = false;
const ready = Promise.withResolvers();

class App extends EventEmitter {
  isPackaged = process.env.STANDIN_PACKAGED === '1';

  whenReady() {
    return ready.promise;
  }
  getVersion() {
    return options.manifest.version;
  }
  getName() {
    return options.manifest.name;
  }
  /** Electron asks the system. Tests name the languages of their user. */
  getPreferredSystemLanguages() {
    return JSON.parse(process.env.STANDIN_LANGUAGES ?? '["en-US"]');
  }
  getAppPath() {
    return options.appPath;
  }
  getPath(name) {
    // Electron keeps this once for a user. The stand-in keeps it for each profile.
    const folders = {
      userData: options.userData,
      appData: join(options.userData, 'system'),
      downloads: join(options.userData, 'downloads'),
    };
    if (!(name in folders)) throw new Error(`electron stand-in: there is no path "${name}"`);
    mkdirSync(folders[name], { recursive: true });
    return folders[name];
  }
  /** Returns false when another stand-in runs on the profile, and tells that one about this start. */
  requestSingleInstanceLock() {
    if (instances.isFirst) instances.onOther((argv) => this.emit('second-instance', {}, argv, '/', undefined));
    else instances.tellFirst(process.argv);
    return instances.isFirst;
  }
  setAsDefaultProtocolClient(scheme) {
    record('app.setAsDefaultProtocolClient', scheme);
    return true;
  }
  commandLine = strict('app.commandLine', {
    // Chromium runs already. It gets no switches of the app.
    appendSwitch: (name, value) => record('app.commandLine.appendSwitch', name, value),
  });
  enableSandbox() {
    record('app.enableSandbox');
  }
  quit() {
    if (quitting || prevented('before-quit')) return;
    quitting = true;
    for (const window of [...windows.values()]) window.close();
    // A window that does not close keeps the app running.
    quitting = windows.size === 0;
    if (quitting && !prevented('will-quit')) void this.exit(0);
  }
  async exit(code = 0) {
    this.emit('quit', {}, code);
    await instances.close();
    await stopChromium();
    process.exit(code);
  }
}

const instance = new App();
export const app = strict('app', instance);

function prevented(name) {
  const event = preventable();
  instance.emit(name, event);
  return event.defaultPrevented;
}

/** An event whose listeners may prevent what follows it. */
export const preventable = (fields = {}) => ({
  ...fields,
  defaultPrevented: false,
  preventDefault() {
    this.defaultPrevented = true;
  },
});

/** Handles a window that is gone. When none is left, the app decides whether it goes on. */
export function windowGone() {
  if (windows.size > 0 || quitting) return;
  if (instance.listenerCount('window-all-closed') > 0) instance.emit('window-all-closed');
  else instance.quit();
}

/** Emits the event that announces new contents to the app. */
export const announce = (contents) => instance.emit('web-contents-created', {}, contents);

/** Makes this Node process look like Electron's main process and starts Chromium. */
export async function boot(given) {
  options = given;
  const { version } = JSON.parse(readFileSync(new URL('../../node_modules/electron/package.json', import.meta.url), 'utf8'));
  Object.defineProperty(process.versions, 'electron', { value: version });
  process.type = 'browser';
  const begin = () => {
    instance.emit('ready', {});
    ready.resolve();
  };
  // An app that listens for the signal handles it itself.
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) instance.quit();
    });
  }
  instances = await SingleInstance.on(given.userData);
  // Playwright attaches first, so that it misses nothing of the first window, and then calls this function. It may call
  // as soon as it reads where Chromium listens, so the function must exist before.
  if (given.waitForPlaywright) globalThis.__playwright_run = begin;
  if (instances.isFirst) await startChromium();
  if (!given.waitForPlaywright) setImmediate(begin);
}
