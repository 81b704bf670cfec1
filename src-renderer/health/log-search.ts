import { LINE_LEVELS } from '../../src-shared/log-levels.ts';
import type { LogLevel } from '../../src-shared/operator-contract/health.ts';
import { typedText } from '../components/filters/search-params.ts';

/** The filters of the log as they stand in the address. */
interface LogSearch {
  level?: LogLevel | undefined;
  text?: string | undefined;
}

/** Reads the filters of the log from its address; what cannot be a filter is left out. */
export function parseLogSearch({ level, text }: Record<string, unknown>): LogSearch {
  const known = LINE_LEVELS.find((one) => one === level);
  const typed = typedText(text);
  return { ...(known !== undefined && { level: known }), ...(typed !== '' && { text: typed }) };
}
