import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { app, preventable } from './app.mjs';
import { cdp } from './chromium.mjs';
import { decode } from './codec.mjs';
import { ipcMain, MessagePortMain } from './ipc.mjs';
import { PRELOAD_WORLD, pageScript, preloadScript } from './page.mjs';
import { fromChromium, handlerFor, mayRequest, toChromium } from './schemes.mjs';
import { record } from './strict.mjs';
import { system } from './system.mjs';

let lastId = 0;

/** What the app may say about a print. */
const PRINT = new Set(['silent', 'deviceName', 'pageSize', 'margins']);
const MICROMETRES_PER_INCH = 25_400;
const A4 = { width: 210_000, height: 297_000 };

/** One page in Chromium. It is isolated and sandboxed, and its preload script has a world of its own. */
export class WebContents extends EventEmitter {
  id = ++lastId;
  mainFrame;
  /** Whether the window may open developer tools. Tests read it. */
  developerTools;
  #url = '';
  #gone = false;
  #targetId;
  #sessionId;
  #preloadContext;
  #ports = new Map();
  #opened;
  #loadedByApp;
  #windowOpenHandler = () => ({ action: 'allow' });

  constructor({ width, height, webPreferences }) {
    super();
    if (!webPreferences.sandbox || !webPreferences.contextIsolation || webPreferences.nodeIntegration) {
      throw new Error('electron stand-in: every window is sandboxed and isolated');
    }
    this.developerTools = webPreferences.devTools !== false;
    const url = () => this.#url;
    this.mainFrame = {
      parent: null,
      get url() {
        return url();
      },
    };
    this.#opened = this.#open(webPreferences.preload, width, height);
  }

  get targetId() {
    return this.#targetId;
  }
  getURL() {
    return this.#url;
  }
  isDestroyed() {
    return this.#gone;
  }
  setWebRTCIPHandlingPolicy(policy) {
    record('webContents.setWebRTCIPHandlingPolicy', policy);
  }
  setWindowOpenHandler(handler) {
    this.#windowOpenHandler = handler;
  }
  async loadURL(url) {
    await this.#opened;
    const loaded = once(this, 'did-finish-load');
    this.#loadedByApp = url;
    const { errorText } = await this.#send('Page.navigate', { url: toChromium(url) });
    if (errorText) throw new Error(`${errorText} loading ${url}`);
    await loaded;
  }
  async executeJavaScript(expression) {
    await this.#opened;
    return (await this.#send('Runtime.evaluate', { expression, returnByValue: true })).result.value;
  }
  async getPrintersAsync() {
    return system.printers.map(({ name, displayName = name }) => ({ name, displayName, description: '', options: {} }));
  }
  /** Prints into a PDF file with the margins of the page, which is what they are by default. */
  print({ deviceName, pageSize, margins, ...options }, callback) {
    for (const key of Object.keys(options)) if (!PRINT.has(key)) throw new Error(`electron stand-in: a print has no ${key}`);
    if (options.silent !== true || margins.marginType !== 'default') throw new Error('electron stand-in: print does only this');
    const printer = system.printers.find(({ name }) => name === deviceName);
    if (printer === undefined) throw new Error('Invalid deviceName provided');
    if (printer.refuses) return callback(false, 'Print job failed');
    const { width, height } = pageSize === 'A4' ? A4 : pageSize;
    this.#send('Page.printToPDF', { paperWidth: width / MICROMETRES_PER_INCH, paperHeight: height / MICROMETRES_PER_INCH }).then(
      ({ data }) => {
        system.prints.push({ deviceName, pageSize, data });
        callback(true, '');
      },
      (error) => callback(false, error.message),
    );
  }
  /** Sends the page the event that it gets when its window comes to the front. */
  tellFocus() {
    this.#opened
      .then(() => this.#send('Runtime.evaluate', { expression: "window.dispatchEvent(new Event('focus'))" }))
      .catch(() => undefined);
  }
  forcefullyCrashRenderer() {
    // Chromium never answers this command.
    this.#opened.then(() => this.#send('Page.crash')).catch(() => undefined);
  }
  /** Closes the page. The event `destroyed` follows. */
  close() {
    if (this.#gone) return;
    this.markGone();
    cdp.send('Target.closeTarget', { targetId: this.#targetId }).catch(() => undefined);
  }
  /** Handles a page that is gone, no matter what closed it. */
  markGone() {
    if (this.#gone) return;
    this.#gone = true;
    this.#closePorts();
    this.emit('destroyed');
  }

  #send(method, params) {
    return cdp.send(method, params, this.#sessionId);
  }

  async #open(preload, width, height) {
    await app.whenReady();
    const { targetId } = await cdp.send('Target.createTarget', { url: 'about:blank', newWindow: true, width, height });
    this.#targetId = targetId;
    this.#sessionId = (await cdp.send('Target.attachToTarget', { targetId, flatten: true })).sessionId;
    this.#listen();
    await this.#send('Inspector.enable');
    await this.#send('Page.enable');
    await this.#send('Runtime.enable');
    await this.#send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
    await this.#send('Runtime.addBinding', { name: '__standinSend', executionContextName: PRELOAD_WORLD });
    await this.#send('Page.addScriptToEvaluateOnNewDocument', { source: pageScript });
    if (preload === undefined) return;
    const source = preloadScript(readFileSync(preload, 'utf8'));
    await this.#send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: PRELOAD_WORLD });
  }

  #listen() {
    const on = (method, listener) => cdp.on(`${this.#sessionId}:${method}`, listener);
    on('Runtime.executionContextCreated', ({ context }) => {
      if (context.name === PRELOAD_WORLD && context.auxData?.frameId === this.#targetId) this.#preloadContext = context.id;
    });
    on('Runtime.executionContextsCleared', () => {
      this.#preloadContext = undefined;
      this.#closePorts();
    });
    on('Inspector.targetCrashed', () => {
      this.#closePorts();
      this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 });
    });
    on('Runtime.bindingCalled', ({ payload }) => this.#receive(JSON.parse(payload)));
    on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined) this.#url = fromChromium(frame.url);
    });
    on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      if (frameId === this.#targetId) this.#url = fromChromium(url);
    });
    on('Page.loadEventFired', () => this.emit('did-finish-load'));
    on('Fetch.requestPaused', (request) => this.#answer(request).catch(() => undefined));
  }

  #closePorts() {
    for (const port of this.#ports.values()) port.close();
    this.#ports.clear();
  }

  #receive({ kind, id, data, url, channel, message, ports }) {
    switch (kind) {
      case 'open':
        if (this.#windowOpenHandler({ url: fromChromium(url) }).action !== 'deny')
          throw new Error('electron stand-in: there are no child windows');
        break;
      case 'navigate':
        if (this.#mayNavigate(url, true)) throw new Error('electron stand-in: it starts no other program');
        break;
      case 'port':
        this.#ports.get(id)?.receive(data);
        break;
      case 'close':
        this.#ports.get(id)?.close();
        this.#ports.delete(id);
        break;
      default: {
        const event = { sender: this, senderFrame: this.mainFrame, ports: ports.map((port) => this.#adopt(port)) };
        ipcMain.emit(channel, event, decode(message));
      }
    }
  }

  #adopt(id) {
    const port = new MessagePortMain((message) => this.#post({ id, ...message }));
    this.#ports.set(id, port);
    return port;
  }

  #post(message) {
    if (this.#preloadContext === undefined) return;
    const expression = `__standinReceive(${JSON.stringify(message)})`;
    this.#send('Runtime.evaluate', { expression, contextId: this.#preloadContext }).catch(() => undefined);
  }

  /** Answers a request of the page. It asks the app about navigations, and the app serves its own schemes. */
  async #answer({ requestId, request, resourceType, frameId }) {
    const url = fromChromium(request.url);
    if (resourceType === 'Document' && !this.#mayNavigate(url, frameId === this.#targetId)) {
      await this.#send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
      return;
    }
    if (!(await mayRequest(url))) {
      await this.#send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
      return;
    }
    const handler = handlerFor(url);
    if (handler === undefined) {
      await this.#send('Fetch.continueRequest', { requestId });
      return;
    }
    const response = await handler({ url, method: request.method });
    await this.#send('Fetch.fulfillRequest', {
      requestId,
      responseCode: response.status,
      responseHeaders: [...response.headers].map(([name, value]) => ({ name, value })),
      body: Buffer.from(await response.arrayBuffer()).toString('base64'),
    });
  }

  #mayNavigate(url, isMainFrame) {
    if (isMainFrame && url === this.#loadedByApp) {
      this.#loadedByApp = undefined;
      return true;
    }
    const event = preventable({ url, isMainFrame });
    this.emit('will-frame-navigate', event);
    return !event.defaultPrevented;
  }
}
