import { type DestinationStream, type Logger, pino } from 'pino';
import { describeError } from './describe-error.ts';
import { type LogCondition, LogOutput } from './log-output.ts';
import { type KeptLine, LogRing } from './log-ring.ts';

export type { Logger } from 'pino';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

// The names whose values are never written. Callers log only ids and codes, so this list is a second safeguard.
const SECRETS = new Set(['authorization', 'token', 'secret', 'sharedSecret', 'interact_ref', 'cookie', 'value', 'jwk', 'privateKey']);
/** How many levels of an object are searched for secrets. */
const DEPTH = 3;

type Facts = Record<string, unknown>;

/**
 * Creates a logger that writes one JSON object a line to standard error, because standard output carries only the ready
 * line. The last lines stay in memory. Logging never throws and never waits; see {@link LogOutput}.
 */
export function createLogger(level: LogLevel, destination: DestinationStream = new LogOutput()): Logger {
  const ring = new LogRing();
  const output = destination instanceof LogOutput ? destination : undefined;
  const log = pino(
    {
      level,
      base: undefined,
      // An error of the query builder holds the values of the statement, and any of them may be secret.
      serializers: { err: describeError },
      timestamp: pino.stdTimeFunctions.isoTime,
      // Each request writes a line, and the redaction of pino would cost more than the rest of the line.
      formatters: { level: (label) => ({ level: label }), log: (facts) => withoutSecrets(facts) },
      hooks: {
        logMethod(args, method) {
          try {
            method.apply(this, args);
          } catch {
            // A fact that cannot be read must not harm whoever told it.
            output?.lose();
          }
        },
      },
    },
    ring.tee(destination),
  );
  ends.set(log, { ring, output });
  return log;
}

/** The places to which the lines of each logger go. */
const ends = new WeakMap<Logger, { ring: LogRing; output: LogOutput | undefined }>();

/** The last lines that a logger has written, oldest first. */
export const recentLines = (log: Logger): readonly KeptLine[] => ends.get(log)?.ring.lines() ?? [];

/** Whether the lines of a logger can be written. */
export const logCondition = (log: Logger): LogCondition => ends.get(log)?.output?.condition ?? { lost: 0, waits: false };

/** How long the last lines may take before a process is ended, in milliseconds. */
const LAST_LINES_MS = 1_000;

/** Resolves when the last lines of a logger are written, or after a second. */
export const lastLinesWritten = async (log: Logger): Promise<void> => await ends.get(log)?.output?.written(LAST_LINES_MS);

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
