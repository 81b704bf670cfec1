import { LINE_LEVELS } from '../../src-shared/log-levels.ts';
import type { LogLevel } from '../../src-shared/operator-contract/health.ts';

/** The filters of the log as they stand in the address. */
export interface LogSearch {
  level?: LogLevel | undefined;
  text?: string | undefined;
}

/** Reads them; what cannot be a filter is left out. */
export function parseLogSearch({ level, text }: Record<string, unknown>): LogSearch {
  const known = LINE_LEVELS.find((one) => one === level);
  // A search for digits arrives as a number, because the address holds JSON values.
  const typed = (typeof text === 'number' ? String(text) : typeof text === 'string' ? text : '').slice(0, 200);
  return { ...(known !== undefined && { level: known }), ...(typed !== '' && { text: typed }) };
}
