import { type DestinationStream, type Logger, pino } from 'pino';
import { describeError } from './describe-error.ts';
import { type KeptLine, LogRing } from './log-ring.ts';

export type { Logger } from 'pino';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

// The names whose values are never written. Callers log only ids and codes, so this list is a second safeguard.
const SECRETS = new Set(['authorization', 'token', 'secret', 'sharedSecret', 'interact_ref', 'cookie', 'value', 'jwk', 'privateKey']);
/** How many levels of an object are searched for secrets. */
const DEPTH = 3;

type Facts = Record<string, unknown>;

const standardError = (): DestinationStream => pino.destination({ dest: 2, sync: true });

/**
 * Creates a logger that writes one JSON object a line to standard error, because standard output carries only the ready
 * line. The last lines stay in memory.
 */
export function createLogger(level: LogLevel, destination: DestinationStream = standardError()): Logger {
  const ring = new LogRing();
  const log = pino(
    {
      level,
      base: undefined,
      // An error of the query builder holds the values of the statement, and any of them may be secret.
      serializers: { err: describeError },
      timestamp: pino.stdTimeFunctions.isoTime,
      // Each request writes a line, and the redaction of pino would cost more than the rest of the line.
      formatters: { level: (label) => ({ level: label }), log: (facts) => withoutSecrets(facts) },
    },
    ring.tee(destination),
  );
  rings.set(log, ring);
  return log;
}

const rings = new WeakMap<Logger, LogRing>();

/** The last lines that a logger has written, oldest first. */
export const recentLines = (log: Logger): readonly KeptLine[] => rings.get(log)?.lines() ?? [];

/** @returns a copy without secrets, or the same object when it holds none. */
function withoutSecrets(facts: Facts, depth = DEPTH): Facts {
  let copy: Facts | undefined;
  for (const [name, value] of Object.entries(facts)) {
    const shown = SECRETS.has(name) ? '[redacted]' : depth > 1 && isNested(value) ? withoutSecrets(value, depth - 1) : value;
    if (shown !== value) copy = { ...(copy ?? facts), [name]: shown };
  }
  return copy ?? facts;
}

/** Tells whether JSON writes the value member by member. */
const isNested = (value: unknown): value is Facts =>
  typeof value === 'object' && value !== null && (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype);
