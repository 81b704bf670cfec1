import type { PrinterInfo, WebContentsPrintOptions } from 'electron';
import { lengthBeside, PAPERS, type Paper } from '../../../src-shared/receipts/papers.ts';

const MM_PER_PIXEL = 25.4 / 96;
/** Electron measures paper in micrometres. */
const PER_MM = 1_000;

/**
 * How a receipt is printed without a question. The page itself sets the margins, and a roll is as long as the receipt.
 * @param height how high the receipt is on the screen, in pixels of CSS
 */
export function silently(deviceName: string, paper: Paper, height: number): WebContentsPrintOptions {
  const length = Math.ceil(height * MM_PER_PIXEL) + lengthBeside(paper);
  const pageSize = paper === 'a4' ? ('A4' as const) : { width: PAPERS[paper].width * PER_MM, height: length * PER_MM };
  return { silent: true, deviceName, pageSize, margins: { marginType: 'default' } };
}

/** Names printers for people. Where two have one name, the system's own names tell them apart. */
export function namedApart(printers: readonly Pick<PrinterInfo, 'name' | 'displayName'>[]): { device: string; name: string }[] {
  const shown = printers.map(({ name, displayName }) => ({ device: name, name: displayName.trim() || name }));
  const isAlone = (name: string) => shown.filter((one) => one.name === name).length === 1;
  return shown.map(({ device, name }) => ({ device, name: isAlone(name) ? name : `${name} (${device})` }));
}
