import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readBody } from '../nodes/http-bodies.ts';
import type { ReferenceConnector, ReferencePayment } from './reference-connector.ts';

/**
 * The Open Payments side of the emulated node. It has one wallet address, whose incoming payments anybody with a
 * signature may read. It does not verify the signature, because these tests are about the money.
 */
export class ReferenceWallet {
  readonly origin: string;
  /** Whether the wallet answers reads with 503, as a wallet under maintenance does. */
  closed = false;
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
        () => {
          const { status, body } = this.#answer(request);
          response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
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

  #answer({ method, url, headers }: IncomingMessage): { status: number; body: unknown } {
    if (this.closed) return { status: 503, body: { error: { code: 'unavailable', description: 'closed' } } };
    const [, first = '', id = ''] = (url ?? '/').split('/');
    if (method === 'POST' && first === 'auth') return this.#grant(headers);
    if (method === 'GET' && first === 'alice') return { status: 200, body: this.#walletAddress() };
    const payment = method === 'GET' && first === 'incoming-payments' ? this.#connector.payments.get(id) : undefined;
    if (payment === undefined) return { status: 404, body: { error: { code: 'not_found', description: 'nothing here' } } };
    if (headers.authorization === undefined) {
      return { status: 200, body: { receivedAmount: this.#amount(payment.received), authServer: `${this.origin}/auth` } };
    }
    if (headers.signature === undefined || !this.#tokens.has(headers.authorization)) {
      return { status: 401, body: { error: { code: 'invalid_client', description: 'Invalid Token' } } };
    }
    return { status: 200, body: this.#payment(payment) };
  }

  #grant({ signature }: IncomingMessage['headers']): { status: number; body: unknown } {
    if (signature === undefined) return { status: 401, body: { error: { code: 'invalid_client', description: 'not signed' } } };
    const [value, id] = [randomUUID(), randomUUID()];
    this.#tokens.add(`GNAP ${value}`);
    const access = [{ type: 'incoming-payment', actions: ['read', 'read-all'] }];
    return {
      status: 200,
      body: {
        access_token: { value, manage: `${this.origin}/auth/token/${id}`, expires_in: 600, access },
        continue: { access_token: { value: randomUUID() }, uri: `${this.origin}/auth/continue/${id}` },
      },
    };
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
