import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dotsOf, type LogoDots } from '../../src-shared/shop/logo-dots.ts';
import { EMPTY_PROFILE } from '../../src-shared/shop/shop-profile.ts';
import { connectPrinter } from '../platform/outbound-http/printer-line.ts';
import { changeShop, logoFrom, setLogo } from '../shop/shop.ts';
import { forgetPrintJobs } from './after-copy.ts';
import { latestJob } from './print-jobs.ts';
import type { PrintWorker } from './print-worker.ts';
import type { PrinterSettings } from './printer.ts';
import { printJobRule } from './retention.ts';
import { printJobs } from './tables.ts';
import { openPrinting, type PrintingDesk, workThrough } from './testing/open-printing.ts';
import { TestPrinter } from './testing/test-printer.ts';

const DAY_MS = 24 * 60 * 60_000;
/** The beginning of a JPEG, which is all that says what it is. */
const JPEG = '\xff\xd8\xff\xe0';

let test: PrintingDesk['test'];
let printer: TestPrinter;
let receipts: PrintingDesk['receipts'];
let printing: PrintingDesk['printing'];
let open: PrintingDesk['open'];
let sold: PrintingDesk['sold'];
let queued: PrintingDesk['queued'];
let stateOf: PrintingDesk['stateOf'];
let silence: PrintingDesk['silence'];
let worker: PrintWorker;

const settings = (change: Partial<PrinterSettings> = {}): PrinterSettings => ({
  ...{ name: 'Counter', host: '127.0.0.1', port: printer.port, paper: 'roll80', language: 'en', printsSales: false },
  ...change,
});

/** A connection in which a process stands still for ever while it sends. */
const standsStill: typeof connectPrinter = async (place) => {
  const line = await connectPrinter(place);
  if (line.ok) line.value.send = () => new Promise(() => undefined);
  return line;
};

beforeEach(async () => {
  ({ test, receipts, printing, open, sold, queued, stateOf, silence } = await openPrinting());
  printer = await TestPrinter.start();
  worker = open();
});
afterEach(async () => {
  await printer.switchOff();
  await test.close();
});

/** What came out of the printer. A connection without a byte prints nothing. */
const papers = () => printer.papers.filter(({ length }) => length > 0);
const work = (by = worker) => workThrough(by);

describe('a printer that is on', () => {
  it('gets a receipt with all that it says, its code, and the cut; the second paper is a copy', async () => {
    await printing.set(settings());
    const { of } = await queued();
    await work();
    expect(await stateOf(of)).toBe('printed');
    const [paper = ''] = printer.texts;
    for (const text of ['Receipt', 'S-2026-000001', 'Größe „z“ 5 €', '4.50 USD', '/receipt/']) expect(paper).toContain(text);
    expect(paper).not.toContain('Copy');
    expect(printer.papers[0]?.includes(Buffer.from([0x1d, 0x56, 1]))).toBe(true);
    await printing.print(of);
    await work();
    expect(printer.texts[1]).toContain('Copy');
    expect((await receipts.find(of))?.printed).toBe(2);
  });

  it('gets the logo as dots while it is that of the receipt, and on the test receipt', async () => {
    // One line: eight black dots, and eight white ones.
    const dots = dotsOf(
      16,
      Array.from({ length: 16 }, (_, dot) => dot < 8),
    );
    const use = (picture: string, as?: LogoDots) => test.database.write((tx) => setLogo(tx, logoFrom(Buffer.from(picture, 'latin1'), as)));
    await test.database.write((tx) => changeShop(tx, { profile: { ...EMPTY_PROFILE, name: 'Books & Tea' } }));
    await use(JPEG, dots);
    await printing.set(settings());
    const { of } = await queued();
    await work();
    await use(`${JPEG}other`, dots);
    await printing.print(of);
    await work();
    await printing.test();
    await work();
    await use(JPEG);
    await printing.print(of);
    await work();
    // GS v 0: a picture of two bytes in a line and eight lines, of which the library adds seven.
    const picture = Buffer.from([0x1d, 0x76, 0x30, 0, 2, 0, 8, 0, 0xff, 0, 0, 0]);
    expect(printer.papers.map((paper) => paper.includes(picture))).toEqual([true, false, true, false]);
    expect(printer.papers.map((paper) => paper.includes(Buffer.from([0x1d, 0x76, 0x30])))).toEqual([true, false, true, false]);
  });

  it('gets one after the other, in the order in which they were sent, whatever it says itself', async () => {
    await printing.set(settings());
    printer.manner = 'babbles';
    await printing.test();
    test.clock.advance(1);
    const { of } = await queued();
    await work();
    expect(printer.texts.map((text) => /Test receipt|S-2026-\d+/.exec(text)?.[0])).toEqual(['Test receipt', 'S-2026-000001']);
    expect([await stateOf(of), await silence()]).toEqual(['printed', { tries: 0, problem: null, since: null }]);
  });

  it('writes in the language that was set, in lines that fit on its paper', async () => {
    await printing.set(settings({ language: 'de', paper: 'roll58' }));
    await queued();
    await work();
    const [paper = ''] = printer.texts;
    expect(paper).toContain('Beleg');
    // What is no line of text are the commands around the code.
    const lines = paper.split('\n').filter((line) => /^[ -~äöüßÄÖÜ€„“]*$/.test(line) && line.trim() !== '');
    expect(new Set(lines.map(({ length }) => length))).toEqual(new Set([32]));
  });
});

describe('a printer that is off', () => {
  it('lets what was sent wait, with growing pauses, and gets it once it is on', async () => {
    await printing.set(settings());
    await printer.switchOff();
    const { of } = await queued();
    const began = test.clock.now();
    await work();
    expect([await stateOf(of), await silence()]).toEqual(['waiting', { tries: 1, problem: 'refused', since: began }]);
    expect((await receipts.find(of))?.printed).toBe(0);
    const pauses: number[] = [];
    for (let tries = 1; tries < 8; tries += 1) {
      const from = test.clock.now();
      while ((await silence())?.tries === tries) {
        test.clock.advance(1_000);
        await work();
      }
      pauses.push((test.clock.now() - from) / 1_000);
    }
    expect(pauses).toEqual([2, 4, 8, 16, 32, 60, 60]);
    await printer.switchOn();
    await work();
    expect(printer.papers).toEqual([]);
    await printing.tryNow();
    await work();
    expect([await stateOf(of), printer.papers.length, await silence()]).toEqual(['printed', 1, { tries: 0, problem: null, since: null }]);
  });

  it('is asked soon when the clock was put back meanwhile', async () => {
    await printing.set(settings());
    await printer.switchOff();
    const { of } = await queued();
    await work();
    test.clock.jump(-DAY_MS);
    await printer.switchOn();
    await work();
    expect(await stateOf(of)).toBe('printed');
  });

  it('prints nothing that has waited for a day', async () => {
    await printing.set(settings());
    await printer.switchOff();
    const { of } = await queued();
    await work();
    test.clock.advance(DAY_MS + 1);
    await printer.switchOn();
    await work();
    expect([await stateOf(of), printer.papers]).toEqual(['lapsed', []]);
  });

  it('prints nothing that was cancelled, and nothing for a shop that removed it', async () => {
    await printing.set(settings());
    await printer.switchOff();
    const [first, second] = [await queued(), await queued()];
    expect(await printing.cancel(first.job.id)).toMatchObject({ ok: true, value: { state: 'cancelled' } });
    expect(await printing.cancel(first.job.id)).toEqual({ ok: false, error: 'begun' });
    await printing.remove();
    expect([await stateOf(first.of), await stateOf(second.of)]).toEqual(['cancelled', 'cancelled']);
    expect([await printing.remove(), await printing.print(first.of), await printing.test()]).toEqual([
      false,
      { ok: false, error: 'no_printer' },
      { ok: false, error: 'no_printer' },
    ]);
  });

  it('is named by what is wrong', async () => {
    await printing.set(settings({ host: 'printer.invalid' }));
    const { of } = await queued();
    await work();
    expect([await stateOf(of), (await silence())?.problem]).toEqual(['waiting', 'name_unknown']);
    // Another printer is asked at once.
    await printing.set(settings());
    await work();
    expect(await stateOf(of)).toBe('printed');
  });
});

describe('a print that was begun', () => {
  it.each(['hangs', 'breaks_off'] as const)('and that the printer %s in, may be on paper, and is not printed again', async (manner) => {
    await printing.set(settings());
    printer.manner = manner;
    const { of } = await queued();
    await work();
    expect([await stateOf(of), await silence()]).toMatchObject(['unsure', { tries: 1, problem: 'broke_off' }]);
    printer.manner = 'prints';
    test.clock.advance(60_000);
    await work();
    expect(printer.papers).toHaveLength(1);
    // A person prints it again, and it says that it is a copy.
    await printing.print(of);
    await work();
    expect([await stateOf(of), printer.texts[1]?.includes('Copy')]).toEqual(['printed', true]);
  });

  it('when the node was killed is found by the next process, and one that had only connected waits on', async () => {
    await printing.set(settings());
    const begun = await queued();
    // The process dies while the printer gets the paper.
    void open({ holder: 'dead', connectAs: standsStill }).runOnce();
    await expect.poll(() => stateOf(begun.of)).toBe('printing');
    const waiting = await queued();
    await work();
    expect([await stateOf(waiting.of), papers()]).toEqual(['waiting', []]);
    const reopened = test.test.again();
    const next = open({ holder: 'alive', database: reopened });
    await next.start();
    await expect.poll(() => stateOf(waiting.of)).toBe('printed');
    await next.stop();
    expect(await stateOf(begun.of)).toBe('unsure');
    expect(papers()).toHaveLength(1);

    const third = await queued();
    void open({ holder: 'dead, too', connectAs: () => new Promise(() => undefined) }).runOnce();
    await expect.poll(async () => (await latestJob(test.database.read, third.of))?.holder).toBe('dead, too');
    const last = open({ database: reopened });
    await last.start();
    await expect.poll(() => stateOf(third.of)).toBe('printed');
    await last.stop();
    await reopened.close();
  });

  it('by a process that says nothing more for a minute is doubted by another', async () => {
    await printing.set(settings());
    const { of } = await queued();
    void open({ holder: 'frozen', connectAs: standsStill }).runOnce();
    await expect.poll(() => stateOf(of)).toBe('printing');
    test.clock.advance(60_001);
    await work();
    expect([await stateOf(of), papers()]).toEqual(['unsure', []]);
  });

  it('is printed by one of two processes', async () => {
    await printing.set(settings());
    const all = [];
    for (let count = 0; count < 5; count += 1) all.push(await queued());
    const [one, other] = [open({ holder: 'one' }), open({ holder: 'other' })];
    for (let round = 0; round < 12; round += 1) await Promise.all([one.runOnce(), other.runOnce()]);
    expect(printer.papers).toHaveLength(5);
    for (const { of } of all) expect(await stateOf(of)).toBe('printed');
  });
});

describe('sales that print by themselves', () => {
  it('are those at the till that were paid in full since that was set, each once', async () => {
    const [before, tillUnasked] = [await sold(), await sold()];
    test.clock.advance(1);
    await printing.set(settings({ printsSales: true }));
    const [paid, partly] = [await sold(), await sold(450n, 400n)];
    const [atDesk, deskUnasked] = [await sold(450n, 450n, 'desk'), await sold(450n, 450n, 'desk')];
    await test.incomingPayments.complete(partly.id, null);
    await receipts.issue(before);
    await receipts.issue(atDesk);
    await work();
    await work();
    expect(printer.texts.map((text) => /S-2026-\d+/.exec(text)?.[0])).toEqual([(await receipts.find(paid))?.content?.number]);
    for (const of of [before, tillUnasked, partly, atDesk, deskUnasked]) expect(await stateOf(of)).toBeUndefined();
    for (const of of [tillUnasked, deskUnasked, partly]) expect(await receipts.find(of)).toBeUndefined();
    // A setting that is saved again leaves that as it is.
    await printing.set(settings({ printsSales: true, paper: 'roll58' }));
    await printing.set(settings());
    await sold();
    await work();
    expect(printer.papers).toHaveLength(1);
  });

  it('wait in the write that issues the receipt, and a second press adds nothing', async () => {
    await printing.set(settings({ printsSales: true }));
    await printer.switchOff();
    const of = await sold();
    await receipts.issue(of);
    expect(await stateOf(of)).toBe('waiting');
    await printing.print(of);
    await printing.print(of);
    expect(await test.database.read.select().from(printJobs)).toHaveLength(1);
  });
});

it('what has ended goes after a week, and books from a copy print nothing by themselves', async () => {
  await printing.set(settings({ printsSales: true }));
  const { of } = await queued();
  await work();
  expect((await printJobRule.removeSome(test.database, test.clock.now() - 1, undefined)).removed).toBe(0);
  expect((await printJobRule.removeSome(test.database, test.clock.now() + 1, undefined)).removed).toBe(1);
  await sold();
  await printing.print(of);
  test.clock.advance(1);
  await test.database.write((tx) => forgetPrintJobs(tx, test.clock.now()));
  await work();
  expect([await stateOf(of), printer.papers.length]).toEqual([undefined, 1]);
});

it('no more than the queue holds waits', async () => {
  await printing.set(settings());
  const job = { kind: 'test', subject: '', number: '', state: 'waiting', madeAt: test.clock.now(), claims: 0 } as const;
  await test.database.write(async (tx) => {
    await tx.insert(printJobs).values(Array.from({ length: 499 }, (_, place) => ({ ...job, id: `job ${place}` })));
  });
  expect(await printing.test()).toMatchObject({ ok: true });
  expect(await printing.test()).toEqual({ ok: false, error: 'too_many' });
  expect(await printing.jobs()).toMatchObject({ waiting: 500, items: { length: 50 } });
});
