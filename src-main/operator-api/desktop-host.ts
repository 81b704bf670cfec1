import type { Desktop, DesktopSettings, PrinterOfComputer } from '../../src-shared/operator-contract/desktop.ts';
import type { ComputerPrinter } from '../printing/printer-lines.ts';

/** The printers of the computer. Which of them prints receipts is kept on this computer, and in no backup. */
export interface ComputerPrinters extends ComputerPrinter {
  list(): Promise<PrinterOfComputer[]>;
  /** @returns false when the choice could not be written. The former one still counts then. */
  choose(device: string): boolean;
}

/** The desktop app around the node, as the console's operations use it. */
export interface DesktopHost {
  read(): Desktop;
  /** @returns false when the settings could not be written. The old settings then stay in effect. */
  change(settings: DesktopSettings): boolean;
  readonly printers: ComputerPrinters;
}
