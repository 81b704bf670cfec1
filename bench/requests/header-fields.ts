import { performance } from 'node:perf_hooks';
import { digestMatches } from '../../src-main/access/http-signatures/content-digest.ts';
import { readSignatures } from '../../src-main/access/http-signatures/signature-fields.ts';
import { gnapToken } from '../../src-main/access/secrets.ts';
import { cookieNamed } from '../../src-main/platform/cookies.ts';
import { type Goal, median, type Row } from '../support/report.ts';

const SIZES = [1_024, 4_096, 14_336] as const;
const ROUNDS = 41;
/** The number of reads that are timed together, because the clock is too coarse for one. */
const TOGETHER = 20;
/** The cost of a byte may grow so many times from 1 KB to 14 KB. Reading that is not linear would make it 14 times. */
const MOST_GROWTH = 3;

/** Repeats a piece until it has exactly so many characters. */
const filled = (piece: string, size: number): string => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);

const DIGEST = new Uint8Array(32);
const LABEL = `sig=:${'A'.repeat(86)}==:`;
const INPUT = 'sig=("@method");created=1;keyid="k"';
const signatures = (input: string, signature: string) => readSignatures(new Map(Object.entries({ 'signature-input': input, signature })));

/** The shapes that a hostile sender may give each field, and how the node reads them. */
const FIELDS: Record<string, { shapes: readonly string[]; read: (value: string) => unknown }> = {
  'Signature-Input': {
    shapes: ['a=("b" "c"),', 'a;b;c;d', '"\\"\\"', ',,,,', 'a=((((', 'a=1;b="\\\\'],
    read: (value) => signatures(value, LABEL),
  },
  Signature: { shapes: ['a=:AAAA:,', 'a=:====', ':::::', ' \t \t', 'sig=,'], read: (value) => signatures(INPUT, value) },
  'Content-Digest': {
    shapes: ['sha-256=:AAAA:,', 'sha-256=:', 'a,b,c,', '"\\"'],
    read: (value) => digestMatches(value, DIGEST),
  },
  Authorization: { shapes: ['GNAP ', 'GNAP A', '    ', '=====', 'A.-_'], read: gnapToken },
  Cookie: { shapes: ['a=1; ', ';;;;', '    ', '====', 'session'], read: (value) => cookieNamed('session', value) },
};

function timeOf(read: (value: string) => unknown, values: readonly string[]): number {
  const before = performance.now();
  for (let time = 0; time < TOGETHER; time++) for (const value of values) read(value);
  return ((performance.now() - before) * 1_000) / TOGETHER / values.length;
}

/** Measures what reading header fields costs by their length. All sizes take turns in one process. */
export function measureHeaderFields(): { rows: Row[]; goals: Goal[] } {
  const [rows, goals]: [Row[], Goal[]] = [[], []];
  for (const [name, { shapes, read }] of Object.entries(FIELDS)) {
    const values = SIZES.map((size) => shapes.map((shape) => filled(shape, size)));
    const times: number[][] = SIZES.map(() => []);
    for (let round = 0; round < ROUNDS; round++) for (const [at, some] of values.entries()) times[at]?.push(timeOf(read, some));
    const [small = 0, middle = 0, large = 0] = times.map(median);
    const growth = large / SIZES[2] / (small / SIZES[0]);
    rows.push({
      'header field': name,
      '1 KB': `${small.toFixed(1)} µs`,
      '4 KB': `${middle.toFixed(1)} µs`,
      '14 KB': `${large.toFixed(1)} µs`,
      'a byte of 14 KB': `${growth.toFixed(2)} times`,
    });
    goals.push({
      name: `${name}: a byte costs at most ${MOST_GROWTH} times as much at 14 KB`,
      met: growth <= MOST_GROWTH,
      figure: `${growth.toFixed(2)} times`,
    });
  }
  return { rows, goals };
}
