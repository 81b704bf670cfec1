import type { Printer, PrinterSettings } from '../../../src-shared/operator-contract/shop/printing.ts';
import { isPrintedLanguage } from '../../../src-shared/receipts/print-jobs.ts';

/** What the form begins with. @param tag the language of the person, which printers may not be able to write */
export function draftOf(printer: Printer | null, tag: string): PrinterSettings {
  if (printer === null || printer.host === null || printer.port === null) return newPrinter(tag);
  const { name, host, port, paper, language, printsSales } = printer;
  return {
    ...{ name, host, port, printsSales },
    paper: paper === 'roll58' ? paper : 'roll80',
    language: isPrintedLanguage(language) ? language : 'en',
  };
}

const newPrinter = (tag: string): PrinterSettings => ({
  ...{ name: '', host: '', port: 9_100, paper: 'roll80', printsSales: false },
  language: isPrintedLanguage(tag) ? tag : 'en',
});

/** Whether a text can be a name or an IP address. A URL is none. */
export const isHost = (text: string): boolean => /^[A-Za-z0-9._:%-]{1,253}$/.test(text) && !/^https?:/i.test(text);

export const isPort = (port: number): boolean => Number.isInteger(port) && port >= 1 && port <= 65_535;
