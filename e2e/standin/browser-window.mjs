import { EventEmitter } from 'node:events';
import { announce, preventable, windowGone, windows } from './app.mjs';
import { cdp } from './chromium.mjs';
import { strict } from './strict.mjs';
import { screen } from './system.mjs';
import { WebContents } from './web-contents.mjs';

class Window extends EventEmitter {
  webContents;
  #visible;
  #focused = false;
  #minimized = false;
  #maximized = false;
  #fullScreen = false;
  #bounds;

  constructor({ x, y, width = 800, height = 600, show = true, webPreferences = {} } = {}) {
    super();
    this.#visible = show;
    // Without a position it is in the middle of the main screen.
    const { workArea } = screen.getPrimaryDisplay();
    const middle = { x: workArea.x + Math.round((workArea.width - width) / 2), y: workArea.y + Math.round((workArea.height - height) / 2) };
    this.#bounds = { x: x ?? middle.x, y: y ?? middle.y, width, height };
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
    this.focus();
  }
  hide() {
    this.#visible = false;
    this.blur();
  }
  isVisible() {
    return this.#visible;
  }
  minimize() {
    this.#minimized = true;
    this.blur();
  }
  restore() {
    this.#minimized = false;
  }
  isMinimized() {
    return this.#minimized;
  }
  focus() {
    if (this.#focused) return;
    this.#focused = true;
    this.webContents.tellFocus();
    this.emit('focus');
  }
  blur() {
    if (!this.#focused) return;
    this.#focused = false;
    this.emit('blur');
  }
  isFocused() {
    return this.#focused;
  }
  maximize() {
    this.#maximized = true;
    this.emit('maximize');
    this.emit('resize');
  }
  isMaximized() {
    return this.#maximized;
  }
  setBounds(bounds) {
    this.#bounds = { ...this.#bounds, ...bounds };
    this.emit('move');
    this.emit('resize');
  }
  setFullScreen(wanted) {
    this.#fullScreen = wanted;
  }
  isFullScreen() {
    return this.#fullScreen;
  }
  getBounds() {
    return { ...this.#bounds };
  }
  getNormalBounds() {
    return { ...this.#bounds };
  }
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

/** Electron's BrowserWindow. A window throws when the app uses anything that the stand-in does not have. */
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
