import { createServer, connect as dial, type Server, type Socket } from 'node:net';

/** What a proxy does when it sees what it waits for. */
type Trouble =
  /** Both connections end, and what was seen does not arrive. */
  | 'cut'
  /** What was seen arrives. When the other side answers, both connections end without the answer. */
  | 'cut the answer'
  /** Nothing passes any more on this connection, in neither direction, not even its end. */
  | 'freeze';

/** A network between a program and a database server that breaks at a chosen statement. */
export class CuttingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #awaited: { bytes: Buffer; trouble: Trouble; seen: () => void } | undefined;
  #isDown = false;
  readonly #target: URL;

  private constructor(target: URL) {
    this.#target = target;
    this.#server = createServer((near) => this.#join(near));
  }

  static async before(url: string): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(new URL(url));
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** The URL of the database behind the proxy. */
  get url(): string {
    const url = new URL(this.#target);
    const address = this.#server.address();
    url.hostname = '127.0.0.1';
    url.port = typeof address === 'object' && address !== null ? String(address.port) : '';
    return url.href;
  }

  /** Makes trouble once, at the next statement that contains `text`. @returns when it has been seen. */
  awaits(text: string, trouble: Trouble): Promise<void> {
    return new Promise((seen) => {
      this.#awaited = { bytes: Buffer.from(text), trouble, seen };
    });
  }

  /** Takes no connections, until {@link comeBack}. */
  goDown(): void {
    this.#isDown = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  comeBack(): void {
    this.#isDown = false;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(near: Socket): void {
    if (this.#isDown) {
      near.destroy();
      return;
    }
    const far = dial(Number(this.#target.port || 5432), this.#target.hostname);
    let state: 'open' | 'mute' | 'frozen' = 'open';
    const end = () => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        if (state !== 'frozen') end();
      });
    }
    near.on('data', (bytes) => {
      const trouble = this.#troubleFor(bytes);
      if (trouble === 'cut') end();
      else if (trouble === 'freeze') state = 'frozen';
      else if (trouble === 'cut the answer') state = 'mute';
      if (trouble !== 'cut' && state !== 'frozen') far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (state === 'open') near.write(bytes);
      else if (state === 'mute') end();
    });
  }

  #troubleFor(bytes: Buffer): Trouble | undefined {
    const awaited = this.#awaited;
    if (awaited === undefined || !bytes.includes(awaited.bytes)) return undefined;
    this.#awaited = undefined;
    awaited.seen();
    return awaited.trouble;
  }
}
