import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { LINE_LEVELS } from '../log-levels.ts';
import { does, reads } from './operation.ts';
import { ReachStep } from './reachability.ts';

export const LogLevel = z.enum(LINE_LEVELS);
export type LogLevel = z.infer<typeof LogLevel>;

export const LogLine = z.object({
  /** Counts from the start of the node. */
  number: z.number().int(),
  at: z.date(),
  level: LogLevel,
  message: z.string(),
  /** Everything else of the line, as JSON; empty when there is nothing else. */
  facts: z.string(),
});
export type LogLine = z.infer<typeof LogLine>;

export const health = {
  /** Tries whether the world can reach the node, step by step; each is told when it begins and when it is known. */
  reach: reads.route({ method: 'GET', path: '/health/reachability' }).output(eventIterator(ReachStep)),
  /** The last lines of the log since the node started, newest first. */
  log: reads
    .route({ method: 'GET', path: '/health/log' })
    .input(
      z.object({
        /** This level and graver ones. */
        level: LogLevel.default('trace'),
        text: z.string().max(200).optional(),
        limit: z.number().int().min(1).max(500).default(200),
      }),
    )
    .output(z.object({ lines: z.array(LogLine), kept: z.number().int(), most: z.number().int() })),
  /** What somebody who helps needs to know, without names, amounts, addresses and secrets. It stays with the caller: the node sends it nowhere. */
  supportBundle: does('exports', 'support.bundled')
    .route({ method: 'POST', path: '/health/support-bundle' })
    .output(z.object({ name: z.string(), text: z.string() })),
};
