import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { ManualClock } from '../../platform/clock.ts';
import { openTestDatabase } from '../../platform/database/testing/test-database.ts';
import { createOutboundHttp } from '../../platform/outbound-http/outbound-http.ts';
import { PublicUrls } from '../../platform/public-address/public-urls.ts';
import { Seal } from '../../platform/secrets/seal.ts';
import { NodeKeys } from '../node-keys.ts';
import { PaymentGrants } from '../payment-grants.ts';
import { PaymentHistory } from '../payment-history.ts';
import { RemoteGrants } from '../remote-grants.ts';
import { RemoteIncomingPayments, type TimeLimits } from '../remote-incoming-payments.ts';
import { RemotePayments } from '../remote-payments.ts';
import { WalletDirectory } from '../wallet-directory.ts';
import { WalletHttp } from '../wallet-http.ts';

/** How a wallet under a test's control answers: a body with status 200, or whatever else the function does. */
type Handler = (request: IncomingMessage, response: ServerResponse) => void;
export type Answering = object | Handler;

/** Answers with a status and JSON. */
export const telling =
  (status: number, body: unknown = {}): Handler =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/**
 * A wallet on this computer that answers as it is told to. It knows an answer by its request, such as `GET /x`, or
 * `GET /x signed` for a request with a token.
 */
export class FakeWallet {
  readonly answers = new Map<string, Answering>();
  /** Every request, in the order in which they came. */
  readonly asked: string[] = [];
  origin = '';
  readonly #server = createServer((request, response) => {
    const name = `${request.method} ${request.url}`;
    const full = request.headers.authorization === undefined ? name : `${name} signed`;
    this.asked.push(full);
    const answer = this.answers.get(full) ?? this.answers.get(name) ?? telling(404);
    if (typeof answer === 'function') answer(request, response);
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    this.origin = `http://127.0.0.1:${address.port}`;
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** How often it was asked this. */
  count(name: string): number {
    return this.asked.filter((one) => one === name).length;
  }
}

export const OWN_ORIGIN = 'http://127.0.0.1:1';

/** The parts that ask other wallets, over real HTTP to this computer. */
export function openRemoteWallets(limits: TimeLimits = { waitMs: 60_000, totalMs: 60_000 }) {
  const { database, dispose } = openTestDatabase();
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  const outbound = createOutboundHttp({ development: true });
  const keys = new NodeKeys({ derive: (purpose) => createHash('sha256').update(purpose).digest() });
  const http = new WalletHttp({ http: outbound, keys, urls: new PublicUrls(OWN_ORIGIN), clock });
  const clientUrl = async (id: string) => `${OWN_ORIGIN}/${id}`;
  const grants = new RemoteGrants({ database, http, seal: new Seal(Buffer.alloc(32, 5)), clock, clientUrl });
  const close = async (): Promise<void> => {
    outbound.close();
    await dispose();
  };
  return {
    database,
    clock,
    grants,
    directory: new WalletDirectory(http),
    incomingPayments: new RemoteIncomingPayments({ http, grants, clock, limits }),
    paymentGrants: new PaymentGrants({ http, clock, clientUrl }),
    payments: new RemotePayments({ http, grants }),
    history: new PaymentHistory(http),
    close,
  };
}
