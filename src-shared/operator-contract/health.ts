import { eventIterator } from '@orpc/contract';
import { LINE_LEVELS } from '../log-levels.ts';
import { z } from '../zod.ts';
import { does, reads } from './operation.ts';
import { ReachStep } from './reachability.ts';

export const LogLevel = z.enum(LINE_LEVELS);
export type LogLevel = z.infer<typeof LogLevel>;

export const LogLine = z.object({
  /** It counts from the start of the node. */
  number: z.number().int(),
  at: z.date(),
  level: LogLevel,
  message: z.string(),
  /** The other facts of the line, as JSON; an empty text when there are none. */
  facts: z.string(),
});
export type LogLine = z.infer<typeof LogLine>;

export const health = {
  /**
   * Checks step by step whether the world can reach the node. It sends each step when it begins and when it has ended.
   */
  reach: reads.route({ method: 'GET', path: '/health/reachability' }).output(eventIterator(ReachStep)),
  /** The last log lines since the node started, newest first. */
  log: reads
    .route({ method: 'GET', path: '/health/log' })
    .input(
      z.object({
        /** The least severe level to return. */
        level: LogLevel.default('trace'),
        text: z.string().max(200).optional(),
        limit: z.number().int().min(1).max(500).default(200),
      }),
    )
    .output(z.object({ lines: z.array(LogLine), kept: z.number().int(), most: z.number().int() })),
  /**
   * What a helper needs to know about the node, without names, amounts, addresses and secrets. Only the caller gets it:
   * the node sends it nowhere.
   */
  supportBundle: does('exports', 'support.bundled')
    .route({ method: 'POST', path: '/health/support-bundle' })
    .output(z.object({ name: z.string(), text: z.string() })),
};
