import { BrowserWindow } from 'electron';
import type { PrinterOfComputer } from '../../../src-shared/operator-contract/desktop.ts';
import type { ComputerPrinters } from '../../operator-api/desktop-host.ts';
import type { Logger } from '../../platform/logs/logger.ts';
import { waitAtMost } from '../../platform/patience.ts';
import type { PrintedPage } from '../../printing/printer-lines.ts';
import { printOptions } from '../security/window-options.ts';
import type { ChosenPrinter } from './chosen-printer.ts';
import { namedApart, silently } from './print-options.ts';

/** How long the system may take to name its printers, and to take a page, in milliseconds. */
const LIST_MS = 10_000;
const PRINT_MS = 30_000;

/** Reads how high the receipt is. The page runs nothing itself. */
const HEIGHT = "document.querySelector('.receipt').getBoundingClientRect().height";

interface Parts {
  chosen: ChosenPrinter;
  log: Logger;
}

/** Prints on a printer of this computer, from windows that nobody sees. No window of the console has a part in it. */
export class SilentPrinter implements ComputerPrinters {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @returns none when the system does not name them in time. */
  async list(): Promise<PrinterOfComputer[]> {
    const { chosen } = this.#parts;
    const printers = await this.#unseen(LIST_MS, ({ webContents }) => webContents.getPrintersAsync());
    return namedApart(printers ?? []).map((one) => ({ ...one, isChosen: one.device === chosen.device }));
  }

  choose(device: string): boolean {
    return this.#parts.chosen.choose(device);
  }

  async isThere(): Promise<boolean> {
    return (await this.list()).some(({ isChosen }) => isChosen);
  }

  async print({ html, paper }: PrintedPage): Promise<boolean> {
    const { chosen, log } = this.#parts;
    const { device } = chosen;
    if (device === undefined) return false;
    const hasTaken = await this.#unseen(PRINT_MS, async (window) => {
      await window.loadURL(`data:text/html;charset=utf-8;base64,${Buffer.from(html).toString('base64')}`);
      const height: unknown = await window.webContents.executeJavaScript(HEIGHT);
      const answered = Promise.withResolvers<boolean>();
      window.once('closed', () => answered.resolve(false));
      window.webContents.print(silently(device, paper, Number(height)), (success, reason) => {
        if (!success) log.warn({ reason }, 'the system did not take a receipt for its printer');
        answered.resolve(success);
      });
      return await answered.promise;
    });
    return hasTaken === true;
  }

  /**
   * Works with a window that nobody sees, and closes it then.
   * @returns undefined when that fails or takes too long
   */
  async #unseen<T>(milliseconds: number, work: (window: BrowserWindow) => Promise<T>): Promise<T | undefined> {
    const window = new BrowserWindow(printOptions());
    let done: T | undefined;
    const working = work(window).then(
      (result) => {
        done = result;
      },
      (error: unknown) => this.#parts.log.warn({ err: error }, 'the system could not be asked about its printers'),
    );
    await waitAtMost(milliseconds, working);
    if (!window.isDestroyed()) window.destroy();
    return done;
  }
}
