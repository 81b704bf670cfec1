import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readBody } from '../nodes/http-bodies.ts';
import type { ReferenceConnector, ReferencePayment } from './reference-connector.ts';

interface Answer {
  status: number;
  body: unknown;
  location?: string;
}

/** A request for a grant, as far as the wallet looks at it. */
interface AskedGrant {
  access_token: { access: [{ type: string }] };
  interact?: { finish: { uri: string; nonce: string } };
}

const NOT_FOUND: Answer = { status: 404, body: { error: { code: 'not_found', description: 'nothing here' } } };
const INVALID_TOKEN: Answer = { status: 401, body: { error: { code: 'invalid_client', description: 'Invalid Token' } } };

/**
 * The Open Payments side of the emulated node. It has one wallet address, whose incoming payments anybody with a
 * signature may read. It does not verify the signature, because these tests are about the money.
 */
export class ReferenceWallet {
  readonly origin: string;
  /** Whether the wallet answers reads with 503, as a wallet under maintenance does. */
  closed = false;
  /** Whether it lets others ask its owner whether they may see what she has paid. */
  tellsPayments = true;
  /** What Alice has paid, as `GET /outgoing-payments` tells it. */
  readonly #paid: object[] = [];
  /** The requests that wait for Alice, by their id. */
  readonly #asked = new Map<string, { finish: { uri: string; nonce: string }; serverNonce: string; ref: string }>();
  readonly #connector: ReferenceConnector;
  readonly #server: Server;
  readonly #tokens = new Set<string>();
  readonly #createdAt = new Date().toISOString();

  private constructor(connector: ReferenceConnector, server: Server) {
    this.#connector = connector;
    this.#server = server;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => {
      readBody(request).then(
        (bytes) => {
          const { status, body, location } = this.#answer(request, bytes.toString());
          response.writeHead(status, { 'content-type': 'application/json', ...(location !== undefined && { location }) });
          response.end(JSON.stringify(body));
        },
        () => response.destroy(),
      );
    });
  }

  static async start(connector: ReferenceConnector): Promise<ReferenceWallet> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ReferenceWallet(connector, server);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Creates an incoming payment. @returns its URL. */
  createPayment(incomingAmount?: bigint): { url: string; payment: ReferencePayment } {
    const id = randomUUID();
    return { url: `${this.origin}/incoming-payments/${id}`, payment: this.#connector.createPayment(id, incomingAmount) };
  }

  /** Alice has paid an incoming payment elsewhere. */
  hasPaid(receiver: string, amount: bigint): void {
    const all = this.#amount(amount);
    this.#paid.unshift({
      ...{ id: `${this.origin}/outgoing-payments/${randomUUID()}`, walletAddress: `${this.origin}/alice`, receiver, failed: false },
      ...{ debitAmount: all, receiveAmount: all, sentAmount: all, createdAt: new Date().toISOString() },
    });
  }

  #answer({ method, url, headers }: IncomingMessage, body: string): Answer {
    if (this.closed) return { status: 503, body: { error: { code: 'unavailable', description: 'closed' } } };
    const [, first = '', id = ''] = (url ?? '/').split('/');
    if (method === 'POST') return this.#posted(`${first}/${id}`, headers, body);
    if (method === 'GET' && first === 'interact') return this.#allowed(id);
    if (method === 'GET' && first.startsWith('outgoing-payments')) return this.#told(headers);
    if (method === 'GET' && first === 'alice') return { status: 200, body: this.#walletAddress() };
    const payment = method === 'GET' && first === 'incoming-payments' ? this.#connector.payments.get(id) : undefined;
    if (payment === undefined) return NOT_FOUND;
    if (headers.authorization === undefined) {
      return { status: 200, body: { receivedAmount: this.#amount(payment.received), authServer: `${this.origin}/auth` } };
    }
    return this.#mayUse(headers) ? { status: 200, body: this.#payment(payment) } : INVALID_TOKEN;
  }

  #posted(path: string, headers: IncomingMessage['headers'], body: string): Answer {
    if (path === 'auth/continue') return this.#continued(headers, body);
    if (path === 'auth/') return this.#grant(headers, JSON.parse(body));
    return path === 'incoming-payments/' ? this.#created(headers) : NOT_FOUND;
  }

  #mayUse({ signature, authorization = '' }: IncomingMessage['headers']): boolean {
    return signature !== undefined && this.#tokens.has(authorization);
  }

  #grant({ signature }: IncomingMessage['headers'], asked: AskedGrant): Answer {
    if (signature === undefined) return { status: 401, body: { error: { code: 'invalid_client', description: 'not signed' } } };
    const [right] = asked.access_token.access;
    if (right.type === 'outgoing-payment') return this.#interactive(asked);
    const id = randomUUID();
    return {
      status: 200,
      body: { ...this.#token(right), continue: { access_token: { value: randomUUID() }, uri: `${this.origin}/auth/continue/${id}` } },
    };
  }

  #token(right: object): object {
    const value = randomUUID();
    this.#tokens.add(`GNAP ${value}`);
    return { access_token: { value, manage: `${this.origin}/auth/token/${randomUUID()}`, expires_in: 600, access: [right] } };
  }

  /** Alice is asked first. */
  #interactive({ interact }: AskedGrant): Answer {
    if (!this.tellsPayments || interact === undefined) {
      return { status: 400, body: { error: { code: 'invalid_request', description: 'access is not allowed' } } };
    }
    const [id, serverNonce] = [randomUUID(), randomUUID()];
    this.#asked.set(id, { finish: interact.finish, serverNonce, ref: randomUUID() });
    this.#tokens.add(`GNAP ${id}`);
    return {
      status: 200,
      body: {
        interact: { redirect: `${this.origin}/interact/${id}`, finish: serverNonce },
        continue: { access_token: { value: id }, uri: `${this.origin}/auth/continue/${id}`, wait: 1 },
      },
    };
  }

  /** Alice says yes, and her browser goes back. */
  #allowed(id: string): Answer {
    const asked = this.#asked.get(id);
    if (asked === undefined) return { status: 404, body: {} };
    const { finish, serverNonce, ref } = asked;
    const said = [finish.nonce, serverNonce, ref, `${this.origin}/auth`].join('\n');
    const back = new URL(finish.uri);
    back.searchParams.set('hash', createHash('sha256').update(said).digest('base64'));
    back.searchParams.set('interact_ref', ref);
    return { status: 302, body: {}, location: back.href };
  }

  #continued({ authorization = '' }: IncomingMessage['headers'], body: string): Answer {
    const asked = this.#asked.get(authorization.replace('GNAP ', ''));
    if (asked === undefined || JSON.parse(body).interact_ref !== asked.ref) return INVALID_TOKEN;
    const next = { access_token: { value: randomUUID() }, uri: `${this.origin}/auth/continue/${randomUUID()}` };
    return { status: 200, body: { ...this.#token({ type: 'outgoing-payment', actions: ['list-all'] }), continue: next } };
  }

  #told(headers: IncomingMessage['headers']): Answer {
    if (!this.#mayUse(headers)) return INVALID_TOKEN;
    return { status: 200, body: { pagination: { hasNextPage: false, hasPreviousPage: false }, result: this.#paid } };
  }

  #created(headers: IncomingMessage['headers']): Answer {
    if (!this.#mayUse(headers)) return INVALID_TOKEN;
    return { status: 201, body: this.#payment(this.createPayment().payment) };
  }

  #walletAddress() {
    const { code, scale } = this.#connector.asset;
    return {
      id: `${this.origin}/alice`,
      publicName: 'Alice elsewhere',
      assetCode: code,
      assetScale: scale,
      authServer: `${this.origin}/auth`,
      resourceServer: this.origin,
    };
  }

  #payment({ id, incomingAmount, received, completed, ilpAddress, sharedSecret }: ReferencePayment) {
    return {
      id: `${this.origin}/incoming-payments/${id}`,
      walletAddress: `${this.origin}/alice`,
      completed,
      ...(incomingAmount !== undefined && { incomingAmount: this.#amount(incomingAmount) }),
      receivedAmount: this.#amount(received),
      createdAt: this.#createdAt,
      methods: completed ? [] : [{ type: 'ilp', ilpAddress, sharedSecret: sharedSecret.toString('base64url') }],
    };
  }

  #amount(value: bigint) {
    const { code, scale } = this.#connector.asset;
    return { value: value.toString(), assetCode: code, assetScale: scale };
  }
}
