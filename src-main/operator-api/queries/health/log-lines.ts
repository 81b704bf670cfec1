import { LogLevel, type LogLine } from '../../../../src-shared/operator-contract/health.ts';
import type { KeptLine } from '../../../platform/logs/log-ring.ts';

const LEVELS = LogLevel.options;

/**
 * A kept line as the console shows it.
 * @returns undefined when the text is not a line, for example because it was cut for its length.
 */
function readLine({ number, text }: KeptLine): LogLine | undefined {
  try {
    const { level, time, msg, ...facts } = JSON.parse(text) as Record<string, unknown>;
    const known = LEVELS.find((one) => one === level);
    if (known === undefined || typeof time !== 'string') return undefined;
    const rest = Object.keys(facts).length === 0 ? '' : JSON.stringify(facts);
    return { number, at: new Date(time), level: known, message: typeof msg === 'string' ? msg : '', facts: rest };
  } catch {
    return undefined;
  }
}

interface Wanted {
  level: LogLevel;
  text?: string | undefined;
  limit: number;
}

/** Finds the newest lines that match, newest first. */
export function matchingLines(kept: readonly KeptLine[], { level, text = '', limit }: Wanted): LogLine[] {
  const least = LEVELS.indexOf(level);
  const part = text.toLowerCase();
  const found: LogLine[] = [];
  for (const line of kept.toReversed()) {
    if (!line.text.toLowerCase().includes(part)) continue;
    const read = readLine(line);
    if (read === undefined || LEVELS.indexOf(read.level) < least) continue;
    found.push(read);
    if (found.length === limit) break;
  }
  return found;
}
