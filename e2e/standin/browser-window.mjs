import { EventEmitter } from 'node:events';
import { announce, preventable, windowGone, windows } from './app.mjs';
import { cdp } from './chromium.mjs';
import { strict } from './strict.mjs';
import { WebContents } from './web-contents.mjs';

class Window extends EventEmitter {
  webContents;
  #visible;

  constructor({ width = 800, height = 600, show = true, webPreferences = {} } = {}) {
    super();
    this.#visible = show;
    const contents = new WebContents({ width, height, webPreferences });
    this.webContents = strict('webContents', contents);
    contents.once('did-finish-load', () => this.emit('ready-to-show'));
    contents.once('destroyed', () => {
      windows.delete(contents.id);
      this.emit('closed');
      windowGone();
    });
  }
  loadURL(url) {
    return this.webContents.loadURL(url);
  }
  show() {
    this.#visible = true;
  }
  isVisible() {
    return this.#visible;
  }
  isMinimized() {
    return false;
  }
  focus() {}
  isDestroyed() {
    return this.webContents.isDestroyed();
  }
  close() {
    const event = preventable();
    this.emit('close', event);
    if (!event.defaultPrevented) this.destroy();
  }
  destroy() {
    this.webContents.close();
  }
  static getAllWindows() {
    return [...windows.values()];
  }
  static fromWebContents({ id }) {
    return windows.get(id) ?? null;
  }
}

/** Electron's BrowserWindow; `new` gives a window that throws for whatever it does not have. */
export const BrowserWindow = new Proxy(Window, {
  construct(_class, [options]) {
    const window = strict('BrowserWindow', new Window(options));
    windows.set(window.webContents.id, window);
    announce(window.webContents);
    return window;
  },
});

export const webContents = strict('webContents', {
  fromDevToolsTargetId: (targetId) =>
    [...windows.values()].map((window) => window.webContents).find((contents) => contents.targetId === targetId),
});

cdp.on(':Target.targetDestroyed', ({ targetId }) => {
  webContents.fromDevToolsTargetId(targetId)?.markGone();
});
