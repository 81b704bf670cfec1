import { ok, type Result, refuse } from '../../platform/result.ts';
import { readDecimal } from './decimal.ts';
import type { Reading } from './reading.ts';

const DAY = /<Cube\s+time=(["'])(\d{4}-\d{2}-\d{2})\1\s*>/g;
const RATE = /<Cube\s+currency=(["'])([A-Z]{3})\1\s+rate=(["'])([\d.]{1,40})\3\s*\/>/g;
/** Everything that claims to be a rate, well-formed or not. */
const ANY_RATE = /<Cube\s+[^>]*currency/g;
/** The file of a day appears about 16:00 in Frankfurt, which is 14:00 UTC in summer and 15:00 in winter. */
const HOUR = 'T14:00:00Z';

/**
 * Reads the daily file of euro foreign exchange reference rates (`eurofxref-daily.xml`): one day, and how much of each
 * currency one euro is worth. Only that form is taken. Anything that could define something else (`<!`) is refused.
 */
export function readEcbFile(text: string): Result<Reading, 'not_readable' | 'no_date' | 'no_rate'> {
  if (text.includes('<!') || !text.includes('<gesmes:Envelope')) return refuse('not_readable');
  const days = [...text.matchAll(DAY)];
  const asOf = Date.parse(`${days[0]?.[2] ?? ''}${HOUR}`);
  if (days.length !== 1 || Number.isNaN(asOf)) return refuse('no_date');
  const found = [...text.matchAll(RATE)];
  const rates: Record<string, string> = {};
  for (const [, , code = '', , rate = ''] of found) {
    const read = readDecimal(rate);
    if (read === undefined || code === 'EUR' || code in rates) return refuse('not_readable');
    rates[code] = read;
  }
  if (found.length !== [...text.matchAll(ANY_RATE)].length) return refuse('not_readable');
  return found.length === 0 ? refuse('no_rate') : ok({ base: 'EUR', rates, asOf });
}
