import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../../platform/outbound-http/targets.ts';
import type { Stranger } from './stranger-budgets.ts';

/** How much of its answers a listener holds for clients that do not read them. */
export interface UnreadLimits {
  /** The limit over all connections, in bytes. */
  bytes: number;
  /** How long one answer may wait for its reader, in milliseconds. */
  patience: number;
}

export const UNREAD_LIMITS: UnreadLimits = { bytes: 64 * 1024 * 1024, patience: 30_000 };

/** One answer, and for whom it is. */
interface Unread extends Pick<Stranger, 'network' | 'origin' | 'key'> {
  socket: Socket;
  bytes: number;
  /** Whether a stranger pays for the request. */
  isStrangers: boolean;
}

/** Waiting answers are added up for each of these. The one of which it is hardest to have many comes first. */
const HOLDERS = ['network', 'origin', 'key'] as const;

/**
 * Bounds the answers that wait in memory because their clients do not read them. When they are too many, one of a
 * stranger goes, and its connection with it: the oldest of the key with the most, at the host with the most, in the
 * network with the most. Those of apps that the node trusts go when strangers have none.
 */
export class UnreadAnswers {
  readonly #limits: UnreadLimits;
  readonly #waiting = new Set<Unread>();
  #bytes = 0;

  constructor(limits: UnreadLimits = UNREAD_LIMITS) {
    this.#limits = limits;
  }

  /** Watches an answer from its end until the network has taken all of it. */
  watch(request: Pick<FastifyRequest, 'ip' | 'paidBy'>, { raw: response }: Pick<FastifyReply, 'raw'>): void {
    response.once('prefinish', () => {
      const { socket } = response;
      if (socket === null || socket.writableLength === 0) return;
      const { ip, paidBy } = request;
      const holder = { ...paidBy, network: networkOf(ip), isStrangers: paidBy !== undefined };
      this.#keep(response, { ...holder, socket, bytes: socket.writableLength });
    });
  }

  /** How many bytes wait. */
  get bytes(): number {
    return this.#bytes;
  }

  #keep(response: FastifyReply['raw'], unread: Unread): void {
    this.#waiting.add(unread);
    this.#bytes += unread.bytes;
    const timer = setTimeout(() => unread.socket.destroy(), this.#limits.patience);
    response.once('close', () => {
      clearTimeout(timer);
      this.#drop(unread);
    });
    while (this.#bytes > this.#limits.bytes) {
      const victim = this.#victim();
      if (victim === undefined) return;
      this.#drop(victim);
      victim.socket.destroy();
    }
  }

  #drop(unread: Unread): void {
    if (this.#waiting.delete(unread)) this.#bytes -= unread.bytes;
  }

  #victim(): Unread | undefined {
    const [all, strangers] = [[...this.#waiting], [...this.#waiting].filter(({ isStrangers }) => isStrangers)];
    const [victim] = HOLDERS.reduce(ofTheLargest, strangers.length > 0 ? strangers : all);
    return victim;
  }
}

/** Those of the holder that has most of them, in the order in which they came. */
function ofTheLargest(answers: readonly Unread[], by: (typeof HOLDERS)[number]): Unread[] {
  const held = new Map<string | undefined, number>();
  for (const answer of answers) held.set(answer[by], (held.get(answer[by]) ?? 0) + answer.bytes);
  const most = Math.max(...held.values());
  const [largest] = [...held].find(([, bytes]) => bytes === most) ?? [];
  return answers.filter((answer) => answer[by] === largest);
}
