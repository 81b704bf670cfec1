import { BrowserWindow, screen } from 'electron';
import type { Logger } from '../../platform/logs/logger.ts';
import { isCustomerScreen } from '../security/navigation.ts';
import { customerOptions } from '../security/window-options.ts';
import { otherScreen, type Rectangle } from './window-state.ts';

const WITHOUT_SCREEN = { width: 1024, height: 640 };

/**
 * The window for the customer of the till. It fills the second screen, where there is one. Its page has no way to the
 * node, and stays where it is.
 */
export class CustomerWindow {
  readonly #log: Logger;
  #window: BrowserWindow | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  /**
   * Opens the window, or opens it anew.
   * @param url the page, with the till in its fragment
   * @param console where the console's window is
   */
  open(url: string, console: Rectangle): void {
    this.#window?.destroy();
    const bounds = otherScreen(
      console,
      screen.getAllDisplays().map((one) => one.bounds),
    );
    const window = new BrowserWindow({ ...customerOptions(), ...(bounds ?? WITHOUT_SCREEN) });
    this.#window = window;
    window.once('ready-to-show', () => {
      window.show();
      if (bounds !== undefined) window.setFullScreen(true);
    });
    window.once('closed', () => {
      if (this.#window === window) this.#window = undefined;
    });
    window.webContents.on('will-frame-navigate', (event) => {
      if (!isCustomerScreen(event.url)) event.preventDefault();
    });
    // The till shows that there is no such screen any more, and the person opens it again.
    window.webContents.on('render-process-gone', () => window.destroy());
    window.loadURL(url).catch((error: unknown) => this.#log.error({ err: error }, 'the page of the customer’s screen could not be opened'));
  }
}
