import { ok, type Result, refuse } from '../../platform/result.ts';
import { readDecimal } from './decimal.ts';
import { parseExactJson, parseJsonPath, valueAt } from './json-path.ts';
import type { Reading } from './reading.ts';

/** The place of one pair's rate in a JSON document. */
export interface JsonPlace {
  readonly base: string;
  readonly quote: string;
  readonly path: string;
  /** The path to the moment of the rate; null when the document does not say it. */
  readonly datePath: string | null;
}

/** Reads the rate of one pair out of a JSON document. It may be a number, or a text with a number. */
export function readJsonSource(
  text: string,
  { base, quote, path, datePath }: JsonPlace,
): Result<Reading, 'not_readable' | 'no_rate' | 'no_date'> {
  const document = parsed(text);
  if (document === undefined) return refuse('not_readable');
  const found = at(document, path);
  const rate = typeof found === 'string' ? readDecimal(found.trim()) : undefined;
  if (rate === undefined) return refuse('no_rate');
  const asOf = datePath === null ? undefined : momentOf(at(document, datePath));
  if (datePath !== null && asOf === undefined) return refuse('no_date');
  return ok({ base, rates: { [quote]: rate }, asOf });
}

function parsed(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}

function at(document: unknown, text: string): unknown {
  const path = parseJsonPath(text);
  return path && valueAt(document, path);
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;
const SECONDS = /^\d{9,10}(\.\d+)?$/;
const MILLISECONDS = /^\d{12,13}$/;

/** A day, a moment of RFC 3339, or seconds or milliseconds since the Unix epoch. A day counts from its noon in UTC. */
function momentOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  if (SECONDS.test(value)) return Math.floor(Number(value) * 1_000);
  if (MILLISECONDS.test(value)) return Number(value);
  const moment = DAY.test(value) ? Date.parse(`${value}T12:00:00Z`) : MOMENT.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(moment) ? undefined : moment;
}
