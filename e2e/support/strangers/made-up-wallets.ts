import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { createServer as createSilentServer, type Socket } from 'node:net';
import { type TestKey, testKey } from '../../../src-main/access/http-signatures/testing/signed-requests.ts';
import { readBody } from '../nodes/http-bodies.ts';

const WALLETS = 8;
const SILENT_HOSTS = 100;
/** Words that the node has to keep. */
const LONG = 'x'.repeat(1_900);

/** Loopback addresses of one block, `127.0.<block>.1` and on. Linux only. */
const addresses = (block: number, count: number): string[] => Array.from({ length: count }, (_, n) => `127.0.${block}.${n + 1}`);

async function listen(server: Server, host: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

/** Counts how often each server was asked. */
class Asked {
  readonly #times = new Map<string, number>();

  note(host: string): void {
    this.#times.set(host, (this.#times.get(host) ?? 0) + 1);
  }

  get all(): number {
    return [...this.#times.values()].reduce((sum, times) => sum + times, 0);
  }

  get most(): number {
    return Math.max(0, ...this.#times.values());
  }
}

/**
 * Hosts that strangers have at hand. Some pretend to be wallets: every path is a wallet address, all with the same key,
 * and their authorization server begins grant requests that nobody approves. Each path that looks like an incoming
 * payment has an authorization server of its own, which gives a permission with long words to everybody. Others accept
 * connections and never answer.
 */
export class MadeUpWallets {
  readonly key: TestKey;
  readonly #asked: Asked;
  readonly #servers: readonly Server[];
  readonly #sockets: ReadonlySet<Socket>;
  readonly #wallets: readonly string[];
  readonly #silent: readonly string[];
  #count = 0;

  private constructor(parts: {
    key: TestKey;
    count: Asked;
    servers: Server[];
    sockets: Set<Socket>;
    wallets: string[];
    silent: string[];
  }) {
    this.key = parts.key;
    this.#asked = parts.count;
    this.#servers = parts.servers;
    this.#sockets = parts.sockets;
    this.#wallets = parts.wallets;
    this.#silent = parts.silent;
  }

  static async start(): Promise<MadeUpWallets> {
    const key = await testKey('made-up');
    const sockets = new Set<Socket>();
    const count = new Asked();
    const remember = (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    };
    const open = async (server: Server, host: string): Promise<[Server, string]> => {
      server.on('connection', remember);
      return [server, await listen(server, host)];
    };
    const wallets = await Promise.all(addresses(200, WALLETS).map((host) => open(walletServer(key, count), host)));
    const silent = await Promise.all(
      addresses(201, SILENT_HOSTS).map((host) =>
        open(
          createSilentServer(() => count.note(host)),
          host,
        ),
      ),
    );
    return new MadeUpWallets({
      key,
      count,
      servers: [...wallets, ...silent].map(([server]) => server),
      sockets,
      wallets: wallets.map(([, origin]) => origin),
      silent: silent.map(([, origin]) => origin),
    });
  }

  /** A wallet address that nobody has named before. */
  next(): string {
    return this.#next(this.#wallets);
  }

  /** A wallet address at a host that never answers. */
  nextSilent(): string {
    return this.#next(this.#silent);
  }

  /** The number of requests that have come so far, and of connections to hosts that never answer. */
  get asked(): number {
    return this.#asked.all;
  }

  /** The number of requests to the server that was asked the most. */
  get mostAsked(): number {
    return this.#asked.most;
  }

  stop(): void {
    for (const server of this.#servers) server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #next(origins: readonly string[]): string {
    this.#count += 1;
    return `${origins[this.#count % origins.length] ?? ''}/${randomUUID()}`;
  }
}

function walletServer({ jwk }: TestKey, count: Asked): Server {
  return createHttpServer((request, response) => {
    count.note(request.headers.host ?? '');
    void readBody(request).then(
      (body) => {
        const origin = `http://${request.headers.host ?? ''}`;
        const [status, document] = documentAt(origin, request.url ?? '/', body.toString(), jwk);
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document));
      },
      () => response.destroy(),
    );
  });
}

/** The answer of a pretended wallet. */
function documentAt(origin: string, path: string, body: string, jwk: object): [number, object] {
  const usd = (value: string) => ({ value, assetCode: 'USD', assetScale: 2 });
  if (path.endsWith('/jwks.json')) return [200, { keys: [jwk] }];
  if (path === '/quotes') {
    const { walletAddress, receiver } = JSON.parse(body) as { walletAddress: string; receiver: string };
    const amounts = { debitAmount: usd('500'), receiveAmount: usd('500') };
    const [createdAt, expiresAt] = [new Date().toISOString(), new Date(Date.now() + 600_000).toISOString()];
    return [201, { id: `${origin}/quotes/${randomUUID()}`, walletAddress, receiver, ...amounts, method: 'ilp', createdAt, expiresAt }];
  }
  if (path.startsWith('/incoming-payments/')) return [200, { authServer: `${origin}/permissions/${path.split('/').at(-1)}/${LONG}` }];
  if (path.startsWith('/permissions/')) {
    return [200, { access_token: { value: `${randomUUID()}${LONG}`, manage: `${origin}/token/${LONG}`, expires_in: 600, access: [] } }];
  }
  if (path !== '/auth') {
    return [
      200,
      {
        id: origin + path,
        publicName: 'A stranger',
        assetCode: 'USD',
        assetScale: 2,
        authServer: `${origin}/auth`,
        resourceServer: origin,
      },
    ];
  }
  const goOn = { access_token: { value: randomUUID() }, uri: `${origin}/auth/continue/${randomUUID()}`, wait: 5 };
  if (body.includes('"outgoing-payment"')) {
    return [200, { interact: { redirect: `${origin}/auth/interact`, finish: randomUUID() }, continue: goOn }];
  }
  const access = [{ type: 'quote', actions: ['create', 'read'] }];
  return [200, { access_token: { value: randomUUID(), manage: `${origin}/auth/token/x`, expires_in: 600, access }, continue: goOn }];
}
