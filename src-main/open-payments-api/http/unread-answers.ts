import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../../platform/outbound-http/targets.ts';

/** How much of its answers a listener holds for clients that do not read them. */
export interface UnreadLimits {
  /** In bytes, over all connections. */
  bytes: number;
  /** How long one answer may wait for its reader, in milliseconds. */
  patience: number;
}

export const UNREAD_LIMITS: UnreadLimits = { bytes: 64 * 1024 * 1024, patience: 30_000 };

interface Unread {
  socket: Socket;
  network: string;
  bytes: number;
}

/**
 * Bounds the answers that wait in memory because their clients do not read them. When they are too many, the oldest
 * goes of the network with the most, and its connection with it.
 */
export class UnreadAnswers {
  readonly #limits: UnreadLimits;
  readonly #waiting = new Set<Unread>();
  #bytes = 0;

  constructor(limits: UnreadLimits = UNREAD_LIMITS) {
    this.#limits = limits;
  }

  /** Watches an answer from its end until the network has taken all of it. */
  watch(response: ServerResponse): void {
    response.once('prefinish', () => {
      const { socket } = response;
      if (socket === null || socket.writableLength === 0) return;
      this.#keep(response, { socket, network: networkOf(socket.remoteAddress ?? ''), bytes: socket.writableLength });
    });
  }

  /** How many bytes wait. */
  get bytes(): number {
    return this.#bytes;
  }

  #keep(response: ServerResponse, unread: Unread): void {
    this.#waiting.add(unread);
    this.#bytes += unread.bytes;
    const timer = setTimeout(() => unread.socket.destroy(), this.#limits.patience);
    response.once('close', () => {
      clearTimeout(timer);
      this.#drop(unread);
    });
    while (this.#bytes > this.#limits.bytes) {
      const victim = this.#oldestOfTheLargest();
      if (victim === undefined) return;
      this.#drop(victim);
      victim.socket.destroy();
    }
  }

  #drop(unread: Unread): void {
    if (this.#waiting.delete(unread)) this.#bytes -= unread.bytes;
  }

  #oldestOfTheLargest(): Unread | undefined {
    const held = new Map<string, number>();
    for (const { network, bytes } of this.#waiting) held.set(network, (held.get(network) ?? 0) + bytes);
    const most = Math.max(...held.values());
    return [...this.#waiting].find(({ network }) => held.get(network) === most);
  }
}
