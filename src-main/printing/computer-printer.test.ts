import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OF_COMPUTER, type PrinterSettings } from './printer.ts';
import type { ComputerPrinting } from './printer-lines.ts';
import { openPrinting, type PrintingDesk, workThrough } from './testing/open-printing.ts';
import { TestComputer } from './testing/test-computer.ts';

const PRINTER: PrinterSettings = { ...OF_COMPUTER, name: 'Counter 80', paper: 'a4', language: 'ar', printsSales: false };

let desk: PrintingDesk;
let computer: TestComputer;
beforeEach(async () => {
  desk = await openPrinting();
  computer = new TestComputer();
  await desk.printing.set(PRINTER);
});
afterEach(() => desk.test.close());

/** What stands for the page: what is printed, and how. */
const htmlOf: ComputerPrinting['htmlOf'] = async (printed, { isCopy, paper, language }) =>
  [printed.kind === 'test' ? 'test' : printed.content.number, isCopy ? 'copy' : 'original', paper, language].join(' ');
const opened = (holder?: string) => desk.open({ computer: { printer: computer, htmlOf }, ...(holder !== undefined && { holder }) });
const pages = () => computer.pages.map(({ html, paper }) => [html, paper]);

describe('a printer of the computer', () => {
  it('gets one page after the other, on its paper and in its language, and the second of a receipt is a copy', async () => {
    const [first, second] = [await desk.queued(), await desk.queued()];
    await desk.printing.test();
    await workThrough(opened());
    await desk.printing.print(first.of);
    await workThrough(opened());
    expect(pages()).toEqual([
      ['S-2026-000001 original a4 ar', 'a4'],
      ['S-2026-000002 original a4 ar', 'a4'],
      ['test original a4 ar', 'a4'],
      ['S-2026-000001 copy a4 ar', 'a4'],
    ]);
    expect([await desk.stateOf(first.of), await desk.stateOf(second.of)]).toEqual(['printed', 'printed']);
  });

  it('that the computer does not have any more lets receipts wait, until it is back or another one is chosen', async () => {
    computer.devices = ['Office_A4'];
    const { of } = await desk.queued();
    await workThrough(opened());
    expect([await desk.stateOf(of), await desk.silence()]).toMatchObject(['waiting', { tries: 1, problem: 'gone' }]);
    computer.choose('Office_A4');
    await desk.printing.set({ ...PRINTER, name: 'Office A4' });
    await workThrough(opened());
    expect([await desk.stateOf(of), pages().length, (await desk.silence())?.problem]).toEqual(['printed', 1, null]);
  });

  it('is never there for a node without the desktop app around it', async () => {
    const { of } = await desk.queued();
    await workThrough(desk.open());
    expect([await desk.stateOf(of), (await desk.silence())?.problem]).toEqual(['waiting', 'gone']);
  });

  it('for which the system did not take a page may have printed it, and gets it again only from a person', async () => {
    computer.manner = 'refuses';
    const { of } = await desk.queued();
    await workThrough(opened());
    expect([await desk.stateOf(of), (await desk.silence())?.problem]).toEqual(['unsure', 'not_taken']);
    computer.manner = 'takes';
    desk.test.clock.advance(60_000);
    await workThrough(opened());
    expect(pages()).toEqual([]);
    await desk.printing.print(of);
    await workThrough(opened());
    expect(pages()).toEqual([['S-2026-000001 copy a4 ar', 'a4']]);
  });

  it('may have printed what it was given when the app was closed meanwhile', async () => {
    computer.manner = 'says_nothing';
    const { of } = await desk.queued();
    void opened('closed').runOnce();
    await expect.poll(() => desk.stateOf(of)).toBe('printing');
    const reopened = desk.test.test.again();
    const next = desk.open({ holder: 'opened again', database: reopened, computer: { printer: new TestComputer(), htmlOf } });
    await next.start();
    await expect.poll(() => desk.stateOf(of)).toBe('unsure');
    await next.stop();
    await reopened.close();
  });
});
