import { systemClock } from '../../platform/clock.ts';
import { createLogger } from '../../platform/logs/logger.ts';
import type { LocalOrigin, Reply } from '../packets.ts';
import { type SendingConnector, type SendTask, StreamSender } from '../stream-sender.ts';
import { sendTask } from './network.ts';

/**
 * A sender whose connector answers what the test says. It also gives the PREPAREs that the connector got, and the
 * origin of each.
 */
export function sendingTo(answer: (bytes: Buffer, count: number) => Reply | Promise<Reply>, maxPacketAmount = 1_000_000n) {
  const prepares: Buffer[] = [];
  const origins: LocalOrigin[] = [];
  const connector: SendingConnector = {
    maxPacketAmount,
    handlePrepare: async (bytes, origin) => {
      prepares.push(bytes);
      origins.push(origin);
      return await answer(bytes, prepares.length);
    },
  };
  const sender = new StreamSender({ connector, clock: systemClock, log: createLogger('silent') });
  const send = (changes: Partial<SendTask> = {}) => sender.send(sendTask({ deadlineMs: systemClock.now() + 60_000, ...changes }));
  return { prepares, origins, send };
}
