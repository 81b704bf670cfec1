import { createHash, randomUUID } from 'node:crypto';
import type { RowLimits } from '../../access/clients/stranger-rows.ts';
import { signRequest, type TestKey, testKey } from '../../access/http-signatures/testing/signed-requests.ts';
import type { WireAccess } from '../../access/rights/wire-access.ts';
import { hashSecret } from '../../access/secrets.ts';
import { accessTokens, grants } from '../../access/tables.ts';
import { AuditBook } from '../../audit/audit-book.ts';
import type { ListenerTimeouts } from '../../open-payments-api/http/listener.ts';
import type { Shed } from '../../open-payments-api/http/pressure.ts';
import { ManualClock } from '../../platform/clock.ts';
import { ClockWitnesses } from '../../platform/clock-witnesses.ts';
import type { Database } from '../../platform/database/database.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing/test-database.ts';
import { createLogger, type Logger } from '../../platform/logs/logger.ts';
import type { OutboundBytes, OutboundHttp } from '../../platform/outbound-http/outbound-http.ts';
import { PublicUrls } from '../../platform/public-address/public-urls.ts';
import { ok, refuse } from '../../platform/result.ts';
import type { NodeSecrets } from '../../platform/secrets/node-secrets.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { assembleAccess } from '../access.ts';
import { assembleCheckout } from '../checkout.ts';
import { assemblePayments } from '../payments.ts';
import { createPublicApi } from '../public-api.ts';

export const ORIGIN = 'https://pay.example';

/** The secrets of the test node with this origin. */
export const secretsOf = (origin: string): NodeSecrets => ({
  stream: Buffer.alloc(32, 1),
  derive: (purpose) => createHash('sha256').update(`${origin} ${purpose}`).digest(),
});

/** A wallet address at another wallet, and the key with which it signs. */
export interface TestClient {
  url: string;
  key: TestKey;
}

export interface Call {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  token?: string | undefined;
  body?: unknown;
  /** The exact text of the body. It replaces `body`. */
  text?: string;
  client?: TestClient;
}

/** A request in the form that `inject` takes. */
export interface TestRequest {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  payload?: string;
}

export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: unknown;
}

/** What another wallet answers to a signed request. */
export class Told {
  readonly status: number;
  readonly body: unknown;
  constructor(status: number, body: unknown) {
    this.status = status;
    this.body = body;
  }
}

interface Options {
  config?: Partial<Config>;
  timeouts?: ListenerTimeouts;
  /**
   * Documents of other wallets by URL, besides those of the two clients. A promise is awaited. A {@link Told} under the
   * key `POST url` is the answer to a POST request to that URL.
   */
  documents?: Record<string, unknown>;
  /** The node's public origin. It is {@link ORIGIN} when this is undefined. */
  origin?: string;
  formerOrigins?: string[];
  /** The outbound HTTP that answers the node's requests to these origins, instead of `documents`. */
  others?: Map<string, OutboundHttp>;
  /** The way to its peers. It reaches nobody unless given. */
  peerHttp?: OutboundBytes;
  /** Whom the node refuses because it has too much to do. */
  pressure?: { shed: Shed };
  log?: Logger;
  /** Waits before a stranger hears that it is refused. Without it nobody waits. */
  holdBack?: () => Promise<unknown>;
  /** How many things of strangers may lie on the disk. */
  rowLimits?: RowLimits;
  /** Its database. Without it there is a new one. */
  test?: TestDatabase;
  /** Another process of the same node. Both have its database, its clock and its accounts. It must be closed last. */
  beside?: Shared;
}

/** What the processes of one node share. */
interface Shared {
  test: TestDatabase;
  clock: ManualClock;
  accounts: Record<'alice' | 'bob' | 'carol', WalletAddress>;
}

/** The documents that other wallets answer with, by URL. The two clients publish their wallet address and their key. */
function documentsOf(clients: readonly TestClient[], documents: Record<string, unknown>): Map<string, unknown> {
  const known = new Map(Object.entries(documents));
  for (const { url, key } of clients) {
    known.set(url, { id: url, publicName: 'A shop' });
    known.set(`${url}/jwks.json`, { keys: [key.jwk] });
  }
  return known;
}

/** The node's outbound HTTP. Requests to the origins in `others` go there; documents answer all other requests. */
function httpOver(known: ReadonlyMap<string, unknown>, others: ReadonlyMap<string, OutboundHttp>): OutboundHttp {
  const fromDocuments: OutboundHttp = {
    getJson: async (url) => (known.has(url) ? ok({ status: 200, body: await known.get(url), url }) : refuse('unreachable')),
    requestJson: async (method, url) => {
      const told = known.get(`${method} ${url}`);
      return told instanceof Told ? ok({ status: told.status, body: told.body, url }) : refuse('unreachable');
    },
    close: () => undefined,
  };
  const at = (url: string) => others.get(URL.parse(url)?.origin ?? '') ?? fromDocuments;
  return {
    getJson: (url, options) => at(url).getJson(url, options),
    requestJson: (method, url, request) => at(url).requestJson(method, url, request),
    close: () => undefined,
  };
}

/** Stores an issued grant with one valid token, and returns the token's value. `lifetime` is in seconds. */
async function storeToken(
  { database, urls, now, lifetime }: { database: Database; urls: PublicUrls; now: number; lifetime: number },
  granted: WireAccess[],
  clientId: string,
): Promise<string> {
  const [grantId, value] = [randomUUID(), randomUUID()];
  await database.write(async (tx) => {
    await tx.insert(grants).values({
      id: grantId,
      state: 'issued',
      clientKind: 'wallet-address',
      clientId,
      requested: granted,
      granted,
      interactive: false,
      endpoint: urls.authServer,
      continuationId: randomUUID(),
      continuationHash: hashSecret(randomUUID()),
      wrongCodes: 0,
      createdAt: now,
    });
    await tx.insert(accessTokens).values({
      id: randomUUID(),
      grantId,
      tokenHash: hashSecret(value),
      state: 'active',
      awaitsRotation: false,
      createdAt: now,
      expiresAt: now + lifetime * 1_000,
    });
  });
  return value;
}

/**
 * Opens the public API of a whole node, wired as the node itself wires it. It has its own database and reaches no other
 * computer. It has the accounts alice and carol (USD/2) and bob (EUR/2), and it knows two clients.
 */
export async function openTestNode({
  config = {},
  timeouts,
  documents = {},
  origin = ORIGIN,
  formerOrigins = ['http://former.example'],
  others = new Map(),
  peerHttp = { postBytes: async () => refuse({ problem: 'unreachable', sent: false }), mayAsk: () => true },
  pressure = { shed: 'nobody' },
  log = createLogger('silent'),
  holdBack = () => Promise.resolve(),
  rowLimits,
  beside,
  test = beside?.test ?? openTestDatabase({ rehearse: false }),
}: Options = {}) {
  const clock = beside?.clock ?? new ManualClock(Date.UTC(2026, 0, 1));
  const urls = new PublicUrls(origin, formerOrigins);
  const secrets = secretsOf(origin);
  const { database } = test;
  const audit = new AuditBook({ database, clock, log });
  const shop: TestClient = { url: 'https://shop.example/till', key: await testKey('shop-key') };
  const other: TestClient = { url: 'https://other.example/app', key: await testKey('other-key') };
  const known = documentsOf([shop, other], documents);
  const http = httpOver(known, others);
  const settings = {
    tokenLifetime: 600,
    updatedAtInBody: 'compatible' as const,
    maxPacketAmount: undefined,
    ilpAddress: undefined,
    addressRate: 0,
    clientRate: 0,
    trustedProxies: [],
    ...config,
  };
  const payments = assemblePayments({ database, clock, log, urls, secrets, http, peerHttp, config: settings });
  const { walletAddresses, remoteWallets, rates, payees } = payments;
  const parts = { database, clock, log, urls, secrets, http, config: settings, walletAddresses, rates, payees };
  const witnesses = new ClockWitnesses(clock);
  const access = assembleAccess({ ...parts, witnesses, nodeKeys: remoteWallets.keys, ...(rowLimits && { rowLimits }) });
  const checkout = assembleCheckout({ database, clock, log, urls, secrets, payments });
  const services = { payments, checkout, access, audit };
  const app = createPublicApi({
    ...{ database, clock, log, urls },
    config: settings,
    ...services,
    pressure,
    holdBack,
    ...(timeouts && { timeouts }),
  });

  const account = async (name: string, assetCode: string, openingBalance: bigint): Promise<WalletAddress> => {
    const made = await walletAddresses.create({ id: randomUUID(), name, publicName: name, assetCode, assetScale: 2, openingBalance });
    if (!made.ok) throw new Error(made.error);
    return made.value;
  };

  /** Stores a valid token with these rights, even when the authorization server would not grant them. */
  const giveToken = (granted: WireAccess[], { url }: TestClient = shop): Promise<string> =>
    storeToken({ database, urls, now: clock.now(), lifetime: settings.tokenLifetime }, granted, url);

  /** Signs a request as the official client does. */
  let signatures = 0;
  const signed = ({
    method,
    path,
    token,
    body,
    client = shop,
    text = body === undefined ? undefined : JSON.stringify(body),
  }: Call): TestRequest => {
    const request = { method, url: origin + path, ...(token !== undefined && { token }), ...(text !== undefined && { body: text }) };
    const headers = {
      'content-type': 'application/json',
      // Requests that say the same are still different requests, as those of a client in different seconds.
      ...signRequest(request, client.key, { created: Math.floor(clock.now() / 1_000), moreParameters: `;n=${signatures++}` }),
    };
    return { method, url: path, headers, ...(text !== undefined && { payload: text }) };
  };

  const call = async (wanted: Call): Promise<Answer> => {
    const { statusCode, headers, body } = await app.inject(signed(wanted));
    return { status: statusCode, headers, body: body === '' ? undefined : (JSON.parse(body) as unknown) };
  };

  const close = async () => {
    await access.stop();
    await app.close();
    await checkout.claims.worker.stop();
    await payments.refundWorker.stop();
    await payments.worker.stop();
    if (beside === undefined) await test.dispose();
  };
  const accounts = beside?.accounts ?? {
    alice: await account('alice', 'USD', 100_000n),
    bob: await account('bob', 'EUR', 0n),
    carol: await account('carol', 'USD', 0n),
  };
  return {
    ...{ app, test, database, audit, clock, witnesses, urls, payments, checkout, access, accounts, account, shop, other },
    ...{ documents: known, giveToken, signed, call, close },
  };
}

export type TestNode = Awaited<ReturnType<typeof openTestNode>>;
