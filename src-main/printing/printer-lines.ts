import type { Paper } from '../../src-shared/receipts/papers.ts';
import type { PrinterProblem } from '../../src-shared/receipts/print-jobs.ts';
import type { ReceiptContent } from '../../src-shared/receipts/receipt-content.ts';
import type { LogoDots } from '../../src-shared/shop/logo-dots.ts';
import type { LanguageTag } from '../../src-shared/words/catalogues/languages.ts';
import type { connectPrinter } from '../platform/outbound-http/printer-line.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { isOfComputer, type Printer } from './printer.ts';
import { receiptBytes, testBytes } from './roll-paper.ts';

/**
 * What a job prints: the test receipt with the name of the shop, or a receipt with the link of its page. The logo is
 * that for printers in the network; null prints none there.
 */
export type Printed = { logo: LogoDots | null } & (
  | { kind: 'test'; shop: string }
  | { kind: 'receipt'; content: ReceiptContent; link: string }
);

/** How it is printed. The language is one that is loaded. */
export interface Manner {
  isCopy: boolean;
  paper: Paper;
  language: LanguageTag;
}

/** A page of HTML for a printer of the computer. Its element `.receipt` is what a roll is cut after. */
export interface PrintedPage {
  html: string;
  paper: Paper;
}

/** The printer that was chosen on this computer, as the desktop app around the node uses it. */
export interface ComputerPrinter {
  /** Whether the computer still has it. */
  isThere(): Promise<boolean>;
  /** Hands a page to the system, without a question. @returns whether the system has taken all of it */
  print(page: PrintedPage): Promise<boolean>;
}

/** A printer that can take one paper now. */
interface Line {
  readonly isOpen: boolean;
  /** @returns whether it has taken all of it. Nobody knows otherwise what is on paper. */
  print(printed: Printed, isCopy: boolean): Promise<boolean>;
  close(): void;
}

export interface ComputerPrinting {
  printer: ComputerPrinter;
  /** Makes the HTML of what is printed. */
  htmlOf: (printed: Printed, manner: Manner) => Promise<string>;
}

interface Ways {
  connect: typeof connectPrinter;
  /** It is undefined where no desktop app is around the node. */
  computer: ComputerPrinting | undefined;
}

/** Opens the way to the printer. What it prints is in its language, which is loaded. */
export async function openLine({ connect, computer }: Ways, printer: Printer): Promise<Result<Line, PrinterProblem>> {
  if (isOfComputer(printer)) {
    const isThere = await computer?.printer.isThere();
    return computer === undefined || isThere !== true ? refuse('gone') : ok(lineOf(computer, printer));
  }
  const line = await connect(printer);
  if (!line.ok) return line;
  return ok({
    get isOpen() {
      return line.value.isOpen;
    },
    print: async (printed, isCopy) => await line.value.send(await bytesOf(printed, isCopy, printer)),
    close: () => line.value.close(),
  });
}

function lineOf(computer: ComputerPrinting, { paper, language }: Printer): Line {
  const print = async (printed: Printed, isCopy: boolean) => {
    const html = await computer.htmlOf(printed, { isCopy, paper, language });
    return await computer.printer.print({ html, paper });
  };
  return { isOpen: true, print, close: () => undefined };
}

/** Printers in the network have rolls. */
async function bytesOf(printed: Printed, isCopy: boolean, { paper, language }: Printer): Promise<Uint8Array> {
  const roll = paper === 'roll58' ? paper : 'roll80';
  return printed.kind === 'test' ? await testBytes(printed, roll, language) : await receiptBytes({ ...printed, isCopy }, roll, language);
}
