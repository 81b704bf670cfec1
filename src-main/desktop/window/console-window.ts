import { join } from 'node:path';
import { app, BrowserWindow, dialog, screen } from 'electron';
import { dialogs } from '../../../src-shared/words/desktop/dialogs.ts';
import type { Core } from '../../platform/core.ts';
import { APP_URL } from '../security/app-scheme.ts';
import { isConsoleUrl } from '../security/navigation.ts';
import { windowOptions } from '../security/window-options.ts';
import { readProfileFile, writeProfileFile } from '../system/profile-file.ts';
import { RendererCrashes } from './renderer-crashes.ts';
import { placeWindow, WindowState } from './window-state.ts';

/** How long the window must stay in place before that place is written down, in milliseconds. */
const IN_PLACE_MS = 500;

const KEEPS_BREAKING = {
  type: 'error' as const,
  title: dialogs.title,
  message: dialogs.keepsBreaking.message,
  detail: dialogs.keepsBreaking.detail,
  buttons: [dialogs.keepsBreaking.openAgain, dialogs.keepsBreaking.leaveClosed],
  defaultId: 0,
  cancelId: 1,
  noLink: true,
};

interface Parts extends Pick<Core, 'clock' | 'log'> {
  preload: string;
  /** The folder in which the window's place is kept. */
  profile: string;
  /** Whether the app is ending, so that the window really closes. */
  isQuitting(): boolean;
  /** Reports that the person's session ends. Windows tells this only to windows. */
  onSessionEnd(): void;
  /** Whether closing the window hides it. Otherwise closing asks the app to quit. */
  closesToTray(): boolean;
}

/** The console's window. It may be closed and opened again, or crash and be replaced, while the node goes on. */
export class ConsoleWindow {
  readonly #parts: Parts;
  readonly #stateFile: string;
  readonly #crashes = new RendererCrashes();
  #window: BrowserWindow | undefined;
  /** Whether the window's page has been painted. */
  #painted = false;
  #remembering: NodeJS.Timeout | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#stateFile = join(parts.profile, 'window-state.json');
  }

  /** Whether the operator is looking at the window. */
  get isLookedAt(): boolean {
    return this.#window?.isVisible() === true && this.#window.isFocused();
  }

  /** Whether the console's window shows these web contents. */
  shows({ id }: { id: number }): boolean {
    return this.#window?.webContents.id === id;
  }

  /** Brings the window to the front, and to a screen of the console such as `/payments`, if one is named. */
  show(path?: string): void {
    const isThere = this.#window !== undefined;
    const window = isThere ? this.front() : this.#open(path ?? '/');
    // A screen that is shown already stays as it is, with everything that was typed into it.
    if (isThere && path !== undefined && URL.parse(window.webContents.getURL())?.pathname !== path) this.#load(window, path);
  }

  /** Brings the window in front of all others, even before its page is painted. */
  front(): BrowserWindow {
    const window = this.#window ?? this.#open('/');
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    return window;
  }

  #open(path: string): BrowserWindow {
    const window = this.#make(path);
    this.#load(window, path);
    return window;
  }

  #load(window: BrowserWindow, path: string): void {
    window
      .loadURL(new URL(path, APP_URL).href)
      .catch((error: unknown) => this.#parts.log.error({ err: error }, 'the page of the window could not be opened'));
  }

  #make(path: string): BrowserWindow {
    const areas = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map(({ workArea }) => workArea);
    const { position, width, height, maximized } = placeWindow(readProfileFile(this.#stateFile, WindowState), areas);
    const window = new BrowserWindow({ ...windowOptions(this.#parts.preload, !app.isPackaged), width, height, ...position });
    this.#window = window;
    this.#painted = false;
    if (maximized) window.maximize();
    window.once('ready-to-show', () => {
      this.#painted = true;
      window.show();
    });
    this.#watch(window, path);
    return window;
  }

  #watch(window: BrowserWindow, path: string): void {
    const { closesToTray, isQuitting, onSessionEnd } = this.#parts;
    const moved = () => {
      clearTimeout(this.#remembering);
      this.#remembering = setTimeout(() => this.#remember(window), IN_PLACE_MS);
    };
    window.on('resize', moved);
    window.on('move', moved);
    window.on('close', (event) => {
      this.#remember(window);
      if (isQuitting()) return;
      event.preventDefault();
      if (closesToTray()) window.hide();
      else app.quit();
    });
    window.on('session-end', onSessionEnd);
    window.on('closed', () => {
      clearTimeout(this.#remembering);
      if (this.#window === window) this.#window = undefined;
    });
    window.webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit' && !isQuitting()) this.#replace(window, path, reason);
    });
  }

  #remember(window: BrowserWindow): void {
    if (window.isDestroyed()) return;
    const state: WindowState = { bounds: window.getNormalBounds(), maximized: window.isMaximized() };
    if (!writeProfileFile(this.#stateFile, state)) this.#parts.log.warn('the place of the window could not be written down');
  }

  /** @param opened the screen for which the window was made */
  #replace(crashed: BrowserWindow, opened: string, reason: string): void {
    const { log, clock } = this.#parts;
    log.error({ reason }, 'the page of the window is gone; the node goes on');
    // A hidden window is made again when the operator opens it. A window that was not painted yet was about to be
    // shown.
    const wanted = crashed.isVisible() || !this.#painted;
    const reopen = this.#crashes.mayReopen(clock.monotonic(), this.#painted);
    if (wanted && !reopen) {
      this.#giveUp(crashed);
      return;
    }
    const url = crashed.webContents.getURL();
    const path = isConsoleUrl(url) ? new URL(url).pathname : opened;
    crashed.destroy();
    if (this.#window === crashed) this.#window = undefined;
    if (wanted) this.#open(path);
  }

  /**
   * Tells the operator in the broken window, because without a window a message box would stop the node, see {@link
   * askIn}.
   */
  #giveUp(broken: BrowserWindow): void {
    broken.show();
    dialog
      .showMessageBox(broken, KEEPS_BREAKING)
      .then(({ response }) => {
        if (this.#window === broken) this.#window = undefined;
        if (!broken.isDestroyed()) broken.destroy();
        if (response === KEEPS_BREAKING.defaultId) this.show();
      })
      .catch((error: unknown) => this.#parts.log.error({ err: error }, 'nobody could be told that the window keeps breaking'));
  }
}
