import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type TestKey, testKey } from '../../../src-main/access/http-signatures/testing/signed-requests.ts';
import { type PreparedRequest, prepareAs, type Signable, type Signer } from '../clients/raw-client.ts';
import { exchange, type WireAnswer } from '../fuzz/wire.ts';
import type { MadeUpWallets } from './made-up-wallets.ts';

/** What every stranger can read on a node's public pages. */
export interface AttackedNode {
  readonly publicUrl: string;
  /** The wallet address of a shop. */
  readonly shop: string;
  /** A payment request of the operator, whose link became known. */
  readonly request: string;
  /** A peer that the operator has paused, and that goes on sending packets. Without it nobody does. */
  readonly pausedPeer?: { readonly endpoint: string; readonly token: string };
}

/** How often each status was answered. `closed` is a connection without an answer, `unread` an answer nobody reads. */
export type Tally = Record<string, number>;

/** A client with a key that somebody has just made up. */
export interface MadeUpClient {
  readonly signer: Signer;
  /** How a grant request names it: by its key only, or by a wallet address. */
  readonly name: string | { jwk: TestKey['jwk'] };
}

/** The members that the node's answer to a grant request may have. */
export interface GrantAnswer {
  access_token?: { value: string };
  continue?: { uri: string; access_token: { value: string } };
}

/** Somebody at a network address of their own who sends requests to a node, and counts what comes back. */
export class Stranger {
  readonly node: AttackedNode;
  readonly wallets: MadeUpWallets;
  readonly #tally: Tally;
  readonly #address: string;
  readonly #agent: Agent;
  readonly #sockets = new Set<Socket>();

  constructor(node: AttackedNode, wallets: MadeUpWallets, address: string, tally: Tally) {
    this.node = node;
    this.wallets = wallets;
    this.#tally = tally;
    this.#address = address;
    this.#agent = new Agent({ keepAlive: true, localAddress: address });
  }

  async keyOnly(): Promise<MadeUpClient> {
    const key = await testKey(randomBytes(8).toString('hex'));
    return { signer: key, name: { jwk: key.jwk } };
  }

  withWallet(): MadeUpClient {
    return { signer: this.wallets.key, name: this.wallets.next() };
  }

  async send({ method, url, headers, body }: Omit<PreparedRequest, 'body'> & { body?: string | Buffer }): Promise<WireAnswer> {
    const { pathname, search } = new URL(url);
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const answer = await exchange(new URL(url), this.#agent, { method, target: pathname + search, headers, body: bytes });
    this.count(answer.status === 0 ? 'closed' : String(answer.status));
    return answer;
  }

  count(outcome: string): void {
    this.#tally[outcome] = (this.#tally[outcome] ?? 0) + 1;
  }

  signed(client: MadeUpClient, request: Omit<Signable, 'body'> & { body?: unknown }, moreParameters = ''): Promise<WireAnswer> {
    const { body, ...rest } = request;
    return this.send(prepareAs(client.signer, { ...rest, ...(body !== undefined && { body: JSON.stringify(body) }) }, { moreParameters }));
  }

  /** Asks for a grant. @returns undefined when the node refuses. */
  async askFor(client: MadeUpClient, access: readonly object[], more: object = {}): Promise<GrantAnswer | undefined> {
    const body = { access_token: { access }, client: client.name, ...more };
    const { status, text } = await this.signed(client, { method: 'POST', url: `${this.node.publicUrl}/auth`, body });
    return status === 200 ? (JSON.parse(text) as GrantAnswer) : undefined;
  }

  /** Opens a connection of its own. The caller writes everything that goes over it. */
  connect(): Socket {
    const { hostname, port } = new URL(this.node.publicUrl);
    const socket = connect({ host: hostname, port: Number(port), localAddress: this.#address });
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
    return socket;
  }

  leave(): void {
    this.#agent.destroy();
    for (const socket of this.#sockets) socket.destroy();
  }
}
