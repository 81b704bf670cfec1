import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AuthenticatedClient, createAuthenticatedClient } from '@interledger/open-payments';

/**
 * A client elsewhere that uses the official SDK. Its small server publishes its wallet address and public key, and has
 * the page to which a person's browser comes back.
 */
export class ClientWallet {
  readonly url: string;
  readonly sdk: AuthenticatedClient;
  readonly privateKey: KeyObject;
  readonly keyId: string;
  /** The paths that others have asked of its server so far. */
  readonly asked: readonly string[];
  readonly #server: Server;
  readonly #returns: EventEmitter<{ back: [URLSearchParams] }>;

  private constructor(parts: {
    server: Server;
    url: string;
    sdk: AuthenticatedClient;
    privateKey: KeyObject;
    keyId: string;
    asked: readonly string[];
    returns: EventEmitter<{ back: [URLSearchParams] }>;
  }) {
    this.#server = parts.server;
    this.url = parts.url;
    this.sdk = parts.sdk;
    this.privateKey = parts.privateKey;
    this.keyId = parts.keyId;
    this.asked = parts.asked;
    this.#returns = parts.returns;
  }

  static async start(publicName = 'Corner Bookshop'): Promise<ClientWallet> {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const keyId = randomUUID();
    const { x } = publicKey.export({ format: 'jwk' });
    const returns = new EventEmitter<{ back: [URLSearchParams] }>();
    const asked: string[] = [];
    let origin = '';
    const answer = (path: string): unknown => {
      if (path === '/till') {
        const asset = { assetCode: 'USD', assetScale: 2 };
        return { id: `${origin}/till`, publicName, ...asset, authServer: `${origin}/auth`, resourceServer: origin };
      }
      if (path === '/till/jwks.json') return { keys: [{ kid: keyId, alg: 'EdDSA', kty: 'OKP', crv: 'Ed25519', x }] };
      return undefined;
    };
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', origin);
      asked.push(url.pathname);
      if (url.pathname === '/back') {
        returns.emit('back', url.searchParams);
        response
          .setHeader('content-type', 'text/html; charset=utf-8')
          .end(
            `<!doctype html><title>${publicName}</title><link rel="icon" href="data:,"><p>You are back at ${publicName}. You can close this page.</p>`,
          );
        return;
      }
      const body = answer(url.pathname);
      response.statusCode = body === undefined ? 404 : 200;
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body ?? {}));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const url = `${origin}/till`;
    const sdk = await createAuthenticatedClient({
      walletAddressUrl: url,
      keyId,
      privateKey,
      logLevel: 'silent',
      validateResponses: true,
      // A busy machine may take longer than the five seconds for which the client waits by default.
      requestTimeoutMs: 60_000,
    });
    return new ClientWallet({ server, url, sdk: meaningEach(sdk), privateKey, keyId, asked, returns });
  }

  /** Waits for the browser to come back. @returns the query with which it came. */
  get returned(): Promise<URLSearchParams> {
    return once(this.#returns, 'back').then(([query]) => query);
  }

  /** The URL to which the node sends the browser after a decision. */
  get finishUri(): string {
    return new URL('/back?session=7', this.url).href;
  }

  /** Plays the browser of a person who opens the approval page. @returns the page's HTML. */
  async open(url: string): Promise<string> {
    return await (await fetch(url)).text();
  }

  /** Plays the browser after a decision, when the page sends it back to the client. @returns where it went. */
  async follow(url: string): Promise<URL> {
    const answer = await fetch(url, { redirect: 'manual' });
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`the page did not send the browser back (${answer.status})`);
    this.#returns.emit('back', new URL(location).searchParams);
    return new URL(location);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/**
 * Makes each request of a client count as a new one. The node takes two equal requests within one second for one that
 * was repeated (docs/developers.md). So an equal request waits for the next second, and a payment without metadata gets
 * a number.
 */
function meaningEach(sdk: AuthenticatedClient): AuthenticatedClient {
  let number = 0;
  const numbered = () => ({ metadata: { orderNumber: String(++number) } });
  const lastSent = new Map<string, number>();
  const meant = async <At, Wanted, Made>(create: (at: At, wanted: Wanted) => Promise<Made>, at: At, wanted: Wanted): Promise<Made> => {
    const key = JSON.stringify([at, wanted]);
    const second = () => Math.floor(Date.now() / 1_000);
    while (lastSent.get(key) === second()) await new Promise((resolve) => setTimeout(resolve, 20));
    lastSent.set(key, second());
    return await create(at, wanted);
  };
  const { incomingPayment, outgoingPayment, quote, grant } = sdk;
  return {
    ...sdk,
    incomingPayment: { ...incomingPayment, create: (at, wanted) => meant(incomingPayment.create, at, { ...numbered(), ...wanted }) },
    outgoingPayment: { ...outgoingPayment, create: (at, wanted) => meant(outgoingPayment.create, at, { ...numbered(), ...wanted }) },
    quote: { ...quote, create: (at, wanted) => meant(quote.create, at, wanted) },
    grant: { ...grant, request: (at, wanted) => meant(grant.request, at, wanted) as never },
  };
}
