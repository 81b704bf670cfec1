import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import type { findBrowser } from '../../scripts/browser.mjs';
import { BusyConsole, screensFetched } from './busy-console.ts';
import { type Filtering, measureFiltering } from './filtering.ts';
import { longestPerSecond, mainThread, TRACED } from './main-thread.ts';
import { type Spread, spreadOf } from './spread.ts';

/** Payments in the list that is filtered. */
export const LISTED = 100_000;
const LOADS = 12;
/** How many events a second happen while the page's tasks are timed, and for how long, in milliseconds. */
const EVENTS = 50;
const BUSY_MS = 20_000;
/**
 * How long the bench pauses between two looks at how many events there were, in milliseconds. It is less than the tenth
 * of a second within which the node tells the page of an event.
 */
const LOOK_MS = 50;
/** How many events one payment between two accounts of the node makes. The pace corrects itself by counting. */
const EVENTS_EACH = 7;

export interface BusyTasks {
  screen: string;
  /** Events a second as counted. */
  events: number;
  /** The longest task of each second, by the clock and by processor time. */
  wall: Spread;
  cpu: Spread;
  /** The share of time in which the main thread was busy, between 0 and 1. */
  busy: number;
}

interface ConsoleFigures {
  /** The time from opening the address to the first words or pictures, with an empty cache. */
  firstPaint: Spread;
  /** The main thread's processor time until then. */
  firstPaintCpu: Spread;
  /** The time until the overview shows the balances. */
  filled: Spread;
  filtering: Filtering;
  tasks: readonly BusyTasks[];
}

/** How the built console feels in a real browser, in front of a node with a long past. */
export async function measureConsole(program: NonNullable<ReturnType<typeof findBrowser>>): Promise<ConsoleFigures> {
  const desk = await BusyConsole.open(program, LISTED);
  try {
    const paints = await measureLoads(desk);
    const filtering = await measureFiltering(desk);
    const tasks: BusyTasks[] = [];
    for (const [screen, path] of [
      ['overview', '/'],
      ['payments', '/payments'],
    ] as const) {
      tasks.push({ screen, ...(await measureTasks(desk, path)) });
    }
    return { ...paints, filtering, tasks };
  } finally {
    await desk.close();
  }
}

async function measureLoads(desk: BusyConsole): Promise<Pick<ConsoleFigures, 'firstPaint' | 'firstPaintCpu' | 'filled'>> {
  const [paints, cpus, fills]: [number[], number[], number[]] = [[], [], []];
  for (let load = 0; load < LOADS; load += 1) {
    const page = await desk.newPage();
    await desk.browser.startTracing(page, { categories: TRACED });
    await page.goto(desk.node.consoleUrl);
    await page.getByRole('region', { name: 'Balances' }).getByRole('link').first().waitFor();
    fills.push(await page.evaluate(() => performance.now()));
    paints.push(await firstPaintOf(page));
    const { tasks, firstPaint = Number.POSITIVE_INFINITY } = mainThread(await desk.browser.stopTracing());
    cpus.push(tasks.filter(({ at }) => at < firstPaint).reduce((sum, { cpu }) => sum + cpu, 0));
    await page.context().close();
  }
  return { firstPaint: spreadOf(paints), firstPaintCpu: spreadOf(cpus), filled: spreadOf(fills) };
}

const firstPaintOf = (page: Page): Promise<number> =>
  page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN);

/** Makes things happen in the node at a steady pace while a screen is open, and times what its page does. */
async function measureTasks(desk: BusyConsole, path: string): Promise<Omit<BusyTasks, 'screen'>> {
  const page = await desk.newPage();
  await page.goto(`${desk.node.consoleUrl}${path}`);
  await page.getByRole('main').getByRole('link').first().waitFor();
  await screensFetched(page);
  await desk.browser.startTracing(page, { categories: TRACED });
  const events = await keepBusy(desk);
  const { tasks } = mainThread(await desk.browser.stopTracing());
  await page.context().close();
  return {
    events,
    wall: spreadOf([...longestPerSecond(tasks, 'wall')]),
    cpu: spreadOf([...longestPerSecond(tasks, 'cpu')]),
    busy: tasks.reduce((sum, { cpu }) => sum + cpu, 0) / BUSY_MS,
  };
}

/** @returns how many events a second there were. */
async function keepBusy(desk: BusyConsole): Promise<number> {
  const [began, before] = [performance.now(), desk.events()];
  const paying = new Set<Promise<void>>();
  let failed: unknown;
  for (let passed = 0; passed < BUSY_MS; passed = performance.now() - began) {
    const due = (passed / 1_000) * EVENTS;
    if (desk.events() - before + paying.size * EVENTS_EACH < due) {
      const payment: Promise<void> = desk.pay().then(
        () => void paying.delete(payment),
        (error: unknown) => {
          failed = error;
        },
      );
      paying.add(payment);
    }
    if (failed !== undefined) throw failed;
    await pause(LOOK_MS);
  }
  await Promise.all(paying);
  return (desk.events() - before) / ((performance.now() - began) / 1_000);
}
