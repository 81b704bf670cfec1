import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { type Goal, ms, percent, printTable, type Row } from '../support/report.ts';
import { type BusyTasks, LISTED, measureConsole } from './console.ts';
import type { Spread } from './spread.ts';

/** Written by the build; see scripts/screen-sizes.mjs. */
const SIZES = resolve(import.meta.dirname, '../../out/screen-sizes.json');
const Sizes = z.array(z.object({ screen: z.string(), bytes: z.number(), zipped: z.number() }));

/**
 * The most waiting processes for each core. With more, times by the clock say more about the other work than about
 * paydesk.
 */
const CALM = 1;

/** Measures the console in a browser and prints the figures. @returns the goals of the console. */
export async function benchConsole(program: Parameters<typeof measureConsole>[0]): Promise<Goal[]> {
  const { firstPaint, firstPaintCpu, filled, filtering, tasks } = await measureConsole(program);
  const { list, totals, samples, nodeCpu, pageCpu } = filtering;
  const row = (what: string, { p50, p95, most }: Spread, cpu = ''): Row => ({
    console: what,
    p50: ms(p50),
    p95: ms(p95),
    most: ms(most),
    cpu,
  });
  printTable([
    row('first paint, nothing cached', firstPaint, `${ms(firstPaintCpu.p50)} of the page`),
    row('overview with its balances', filled),
    row(`${LISTED.toLocaleString('en')} payments filtered, ${samples} times`, list, cpuOf(nodeCpu, pageCpu)),
    row('until they are added up, too', totals),
    ...tasks.flatMap(({ screen, events, wall, cpu, busy }) => [
      row(`longest task of a second, ${screen}, ${events.toFixed(0)} events a second`, wall, `${percent(busy)} of a core`),
      row('the same in processor time', cpu),
    ]),
  ]);
  console.log();
  const sizes = Sizes.parse(JSON.parse(readFileSync(SIZES, 'utf8')));
  printTable(
    sizes.map(({ screen, bytes, zipped }) => ({
      'JavaScript, added by each screen': screen,
      size: kB(bytes),
      'with gzip': kB(zipped),
    })),
  );
  console.log();
  const [load = 0] = loadavg();
  if (load > CALM * availableParallelism())
    console.log(`Other work is running (load ${load.toFixed(0)}): times by the clock are too long, processor times are good.\n`);
  return [
    { name: 'console: first paint under 1 s (p95)', met: firstPaint.p95 < 1_000, figure: ms(firstPaint.p95) },
    { name: `console: ${LISTED.toLocaleString('en')} payments filter in under 200 ms (p95)`, met: list.p95 < 200, figure: ms(list.p95) },
    wordsGoal(sizes),
    ...tasks.map(goalOf),
  ];
}

/** The most words of a language that the start may load, with gzip, in bytes; see `scripts/catalogues.test.ts`. */
const MOST_WORDS = 30_000;

function wordsGoal(sizes: z.infer<typeof Sizes>): Goal {
  const most = Math.max(...sizes.filter(({ screen }) => screen.startsWith('words of ')).map(({ zipped }) => zipped));
  return { name: `console: the words of a language add at most ${kB(MOST_WORDS)} to its start`, met: most <= MOST_WORDS, figure: kB(most) };
}

const goalOf = ({ screen, wall, events }: BusyTasks): Goal => ({
  name: `console: no task over 50 ms on ${screen} at 50 events a second (p95 of each second's longest)`,
  // On a machine that is too busy for that many events, the answer is not known.
  met: events < 45 ? undefined : wall.p95 <= 50,
  figure: ms(wall.p95),
});

const cpuOf = (node: number | undefined, page: number): string =>
  `${node === undefined ? '' : `${ms(node)} of the node, `}${ms(page)} of the page`;

const kB = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`;
