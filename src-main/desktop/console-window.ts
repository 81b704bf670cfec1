import { join } from 'node:path';
import { app, BrowserWindow, dialog, screen } from 'electron';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import { APP_URL } from './app-scheme.ts';
import { readProfileFile, writeProfileFile } from './profile-file.ts';
import { RendererCrashes } from './renderer-crashes.ts';
import { windowOptions } from './window-options.ts';
import { placeWindow, WindowState } from './window-state.ts';

/** How long the window must have stood still before its place is written down, in milliseconds. */
const SETTLED_MS = 500;

const KEEPS_BREAKING = {
  type: 'error' as const,
  title: 'paydesk',
  message: 'The window keeps breaking.',
  detail: 'Your node goes on. Open the window again from the sign beside the clock, or start paydesk once more.',
};

interface ConsoleWindowParts {
  preload: string;
  /** Folder in which the window's place is remembered. */
  profile: string;
  clock: Clock;
  log: Logger;
  /** Whether the app is ending, so that the window really closes. */
  isQuitting(): boolean;
  /** The person's session ends, as Windows tells its windows only. */
  onSessionEnd(): void;
  /** Whether closing hides the window; otherwise it asks the app to quit. */
  closesToTray(): boolean;
}

/** The console's window: closed and opened again, crashed and made anew, while the node goes on. */
export class ConsoleWindow {
  readonly #parts: ConsoleWindowParts;
  readonly #stateFile: string;
  readonly #crashes = new RendererCrashes();
  #window: BrowserWindow | undefined;
  #settled: NodeJS.Timeout | undefined;

  constructor(parts: ConsoleWindowParts) {
    this.#parts = parts;
    this.#stateFile = join(parts.profile, 'window-state.json');
  }

  /** Whether the operator has it in front of them. */
  get isLookedAt(): boolean {
    return this.#window?.isVisible() === true && this.#window.isFocused();
  }

  /** Whether these are what the console's window shows. */
  shows({ id }: { id: number }): boolean {
    return this.#window?.webContents.id === id;
  }

  /** Brings the window to the front, and to a screen of the console such as `/payments`, if one is named. */
  async show(path?: string): Promise<void> {
    const window = this.#window;
    if (window === undefined) return await this.#open(path ?? '/');
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    // What is already shown stays as it is, with whatever has been typed into it.
    if (path !== undefined && URL.parse(window.webContents.getURL())?.pathname !== path) await window.loadURL(new URL(path, APP_URL).href);
  }

  async #open(path: string): Promise<void> {
    const areas = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map(({ workArea }) => workArea);
    const { position, width, height, maximized } = placeWindow(readProfileFile(this.#stateFile, WindowState), areas);
    const window = new BrowserWindow({ ...windowOptions(this.#parts.preload, !app.isPackaged), width, height, ...position });
    this.#window = window;
    if (maximized) window.maximize();
    window.once('ready-to-show', () => window.show());
    this.#watch(window);
    await window.loadURL(new URL(path, APP_URL).href);
  }

  #watch(window: BrowserWindow): void {
    const { closesToTray, isQuitting, onSessionEnd } = this.#parts;
    const moved = () => {
      clearTimeout(this.#settled);
      this.#settled = setTimeout(() => this.#remember(window), SETTLED_MS);
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
      clearTimeout(this.#settled);
      if (this.#window === window) this.#window = undefined;
    });
    window.webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit' && !isQuitting()) this.#replace(window, reason);
    });
  }

  #remember(window: BrowserWindow): void {
    if (window.isDestroyed()) return;
    const state: WindowState = { bounds: window.getNormalBounds(), maximized: window.isMaximized() };
    if (!writeProfileFile(this.#stateFile, state)) this.#parts.log.warn('the place of the window could not be written down');
  }

  #replace(crashed: BrowserWindow, reason: string): void {
    const { log, clock } = this.#parts;
    log.error({ reason }, 'the page of the window is gone; the node goes on');
    const shown = crashed.isVisible();
    const path = URL.parse(crashed.webContents.getURL())?.pathname ?? '/';
    crashed.destroy();
    if (this.#window === crashed) this.#window = undefined;
    const reopen = this.#crashes.mayReopen(clock.now());
    // A hidden one is made anew when it is opened.
    if (!shown) return;
    // Not the box for errors: that one would hold up the node until somebody has read it.
    const done = reopen ? this.#open(path) : dialog.showMessageBox(KEEPS_BREAKING);
    done.catch((error: unknown) => log.error({ err: error }, 'the window could not be opened anew'));
  }
}
