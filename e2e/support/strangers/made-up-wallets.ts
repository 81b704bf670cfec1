import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { createServer as createSilentServer, type Socket } from 'node:net';
import { type TestKey, testKey } from '../../../src-main/access/http-signatures/testing/signed-requests.ts';
import { readBody } from '../nodes/http-bodies.ts';

const WALLETS = 8;
const SILENT_HOSTS = 100;

/** Loopback addresses of one block, `127.0.<block>.1` and on. Linux only. */
const addresses = (block: number, count: number): string[] => Array.from({ length: count }, (_, n) => `127.0.${block}.${n + 1}`);

async function listen(server: Server, host: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

/**
 * Hosts that strangers have at hand. Some pretend to be wallets: every path is a wallet address, all with the same key,
 * and their authorization server begins grant requests that nobody approves. Others accept connections and never
 * answer.
 */
export class MadeUpWallets {
  readonly key: TestKey;
  readonly #asked: { readonly asked: number };
  readonly #servers: readonly Server[];
  readonly #sockets: ReadonlySet<Socket>;
  readonly #wallets: readonly string[];
  readonly #silent: readonly string[];
  #count = 0;

  private constructor(parts: {
    key: TestKey;
    count: { asked: number };
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
    const count = { asked: 0 };
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
          createSilentServer(() => (count.asked += 1)),
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

  /** How many requests have come so far, and connections to hosts that never answer. */
  get asked(): number {
    return this.#asked.asked;
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

function walletServer({ jwk }: TestKey, count: { asked: number }): Server {
  return createHttpServer((request, response) => {
    count.asked += 1;
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

/** What a pretended wallet answers. */
function documentAt(origin: string, path: string, body: string, jwk: object): [number, object] {
  const usd = (value: string) => ({ value, assetCode: 'USD', assetScale: 2 });
  if (path.endsWith('/jwks.json')) return [200, { keys: [jwk] }];
  if (path === '/quotes') {
    const { walletAddress, receiver } = JSON.parse(body) as { walletAddress: string; receiver: string };
    const amounts = { debitAmount: usd('500'), receiveAmount: usd('500') };
    const [createdAt, expiresAt] = [new Date().toISOString(), new Date(Date.now() + 600_000).toISOString()];
    return [201, { id: `${origin}/quotes/${randomUUID()}`, walletAddress, receiver, ...amounts, method: 'ilp', createdAt, expiresAt }];
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
