import { createServer, type Server } from 'node:net';

/** A host and a port. With the port 0 the system chooses one. */
interface Place {
  host: string;
  port: number;
}

/**
 * A port that no other program can take. It closes each connection at once, until a server takes over its socket with
 * {@link HeldPort.for}.
 */
export class HeldPort {
  readonly number: number;
  readonly #holder: Server;

  private constructor(holder: Server, number: number) {
    this.#holder = holder;
    this.number = number;
  }

  /** @throws the system's error when the port is taken. */
  static async hold({ host, port }: Place): Promise<HeldPort> {
    const holder = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve, reject) => {
      holder.once('error', reject);
      holder.listen(port, host, resolve);
    });
    const address = holder.address();
    if (address === null || typeof address === 'string') throw new Error('a TCP listener without a port');
    return new HeldPort(holder, address.port);
  }

  /**
   * The options with which a server listens here. Node lets a server listen on the socket of another one, and reads the
   * host and the port only when there is no socket.
   */
  for(place: Place): Place {
    return this.#holder.listening ? Object.assign(this.#holder, place) : place;
  }

  /** Gives the port back. It does nothing to a server that has taken over the socket and was closed. */
  async release(): Promise<void> {
    await new Promise((resolve) => this.#holder.close(resolve));
  }
}
