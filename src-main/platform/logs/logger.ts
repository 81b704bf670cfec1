import { type DestinationStream, type Logger, pino } from 'pino';
import { describeError } from './describe-error.ts';
import { type KeptLine, LogRing } from './log-ring.ts';

export type { Logger } from 'pino';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

// What must never be written. Callers log ids and codes, not objects from outside; this is the second line.
const SECRETS = new Set(['authorization', 'token', 'secret', 'sharedSecret', 'interact_ref', 'cookie', 'value', 'jwk', 'privateKey']);
/** How deep secrets are looked for. */
const DEPTH = 3;

type Facts = Record<string, unknown>;

const standardError = (): DestinationStream => pino.destination({ dest: 2, sync: true });

/** Structured logs, one JSON object a line, on standard error: standard output carries the ready line only. The last ones stay in memory. */
export function createLogger(level: LogLevel, destination: DestinationStream = standardError()): Logger {
  const ring = new LogRing();
  const log = pino(
    {
      level,
      base: undefined,
      // A query builder's errors carry the values of the statement, which may be anything.
      serializers: { err: describeError },
      timestamp: pino.stdTimeFunctions.isoTime,
      // pino's own redaction costs more than the rest of a line, of which each request writes one.
      formatters: { level: (label) => ({ level: label }), log: (facts) => withoutSecrets(facts) },
    },
    ring.tee(destination),
  );
  rings.set(log, ring);
  return log;
}

const rings = new WeakMap<Logger, LogRing>();

/** The last lines a logger has written, oldest first, as they were written. */
export const recentLines = (log: Logger): readonly KeptLine[] => rings.get(log)?.lines() ?? [];

/** @returns the very same object when there is nothing in it to hide. */
function withoutSecrets(facts: Facts, depth = DEPTH): Facts {
  let copy: Facts | undefined;
  for (const [name, value] of Object.entries(facts)) {
    const shown = SECRETS.has(name) ? '[redacted]' : depth > 1 && isNested(value) ? withoutSecrets(value, depth - 1) : value;
    if (shown !== value) copy = { ...(copy ?? facts), [name]: shown };
  }
  return copy ?? facts;
}

/** What JSON writes member by member. */
const isNested = (value: unknown): value is Facts =>
  typeof value === 'object' && value !== null && (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype);
