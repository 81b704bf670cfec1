import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { record, strict } from './strict.mjs';

// What the app uses of the system around it: screens, the tray, menus, notifications, sleep, the keychain. Tests read
// it and act through `globalThis.__standin`.

/** STANDIN_SCREENS holds the work areas of the screens as JSON, the main screen first. */
const screens = JSON.parse(process.env.STANDIN_SCREENS ?? '[{"x":0,"y":0,"width":1920,"height":1080}]');
export const screen = strict('screen', {
  getPrimaryDisplay: () => ({ workArea: screens[0] }),
  getAllDisplays: () => screens.map((workArea) => ({ workArea, bounds: workArea })),
});

/**
 * What the operator would see and click. Tests use it. A printer has a `name` for the system, a `displayName`, and
 * `refuses` when the system does not take prints for it. What was printed is a PDF file in base64.
 */
export const system = { tray: undefined, notifications: [], questions: [], idleState: 'active', printers: [], prints: [] };

export const nativeImage = strict('nativeImage', {
  createEmpty: () => {
    const representations = [];
    return strict('NativeImage', {
      representations,
      addRepresentation: ({ width, height, scaleFactor, buffer }) => {
        if (buffer.length !== width * height * 4) throw new Error('electron stand-in: a bitmap of another size');
        representations.push({ width, height, scaleFactor, buffer });
      },
    });
  },
});

const ITEM = new Set(['label', 'enabled', 'type', 'click']);
export const Menu = strict('Menu', {
  setApplicationMenu: (menu) => record('Menu.setApplicationMenu', menu),
  buildFromTemplate: (template) => {
    for (const key of template.flatMap(Object.keys)) if (!ITEM.has(key)) throw new Error(`electron stand-in: a menu item has no ${key}`);
    return strict('Menu', { items: template.map((item) => ({ enabled: true, type: 'normal', ...item })) });
  },
});

class TrayItem extends EventEmitter {
  image;
  tooltip = '';
  menu;

  constructor(image) {
    super();
    this.setImage(image);
    system.tray = this;
  }
  setImage(image) {
    if (image.representations.length === 0) throw new Error('electron stand-in: an empty picture');
    this.image = image;
  }
  setToolTip(text) {
    this.tooltip = text;
  }
  setContextMenu(menu) {
    this.menu = menu;
  }
  /** Clicks the menu item with this label, as the operator does. */
  choose(label) {
    const item = this.menu.items.find((one) => one.label === label && one.enabled);
    if (item === undefined) throw new Error(`the menu has no "${label}" to click`);
    item.click();
  }
}
export const Tray = new Proxy(TrayItem, { construct: (_class, [image]) => strict('Tray', new TrayItem(image)) });

class SystemNotification extends EventEmitter {
  title;
  body;
  state = 'made';

  constructor({ title, body, ...others }) {
    super();
    for (const key of Object.keys(others)) throw new Error(`electron stand-in: a notification has no ${key}`);
    this.title = title;
    this.body = body;
  }
  show() {
    this.state = 'shown';
    system.notifications.push(this);
  }
  close() {
    this.state = 'closed';
    this.emit('close', {});
  }
  static isSupported() {
    return true;
  }
}
export const Notification = new Proxy(SystemNotification, {
  construct: (_class, [options]) => strict('Notification', new SystemNotification(options)),
});

export const powerMonitor = strict('powerMonitor', Object.assign(new EventEmitter(), { getSystemIdleState: () => system.idleState }));

/**
 * STANDIN_KEYCHAIN names the system's keychain. With `basic_text` the app finds no keychain. Every stand-in has the
 * same key, because it stands for one user.
 */
const backend = process.env.STANDIN_KEYCHAIN ?? 'gnome_libsecret';
const key = createHash('sha256').update('the keychain of the stand-in').digest();
export const safeStorage = strict('safeStorage', {
  isAsyncEncryptionAvailable: async () => backend !== 'none',
  getSelectedStorageBackend: () => backend,
  encryptStringAsync: async (text) => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  },
  decryptStringAsync: async (encrypted) => {
    const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, 12)).setAuthTag(encrypted.subarray(-16));
    return { result: decipher.update(encrypted.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8'), shouldReEncrypt: false };
  },
});

export const dialog = strict('dialog', {
  showErrorBox: (title, content) => {
    record('dialog.showErrorBox', title, content);
    process.stderr.write(`${title}: ${content}\n`);
  },
  /**
   * The question stays open until a test answers it with `system.questions[0].answer('label of a button')`, or until
   * the app withdraws it, which counts as cancelled. It needs a visible window. Without a window the question would
   * block the whole process on macOS, and in a hidden window nobody would see it.
   */
  showMessageBox: (window, options) => {
    if (!window?.isVisible?.()) throw new Error('electron stand-in: a message box without a window that is shown');
    const { promise, resolve } = Promise.withResolvers();
    options.signal?.addEventListener('abort', () => resolve({ response: options.cancelId, checkboxChecked: false }), { once: true });
    const answer = (label) => {
      const response = options.buttons.indexOf(label);
      if (response < 0) throw new Error(`the question has no button "${label}"`);
      resolve({ response, checkboxChecked: false });
    };
    system.questions.push({ options, answer });
    return promise;
  },
});
