import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type TestKey, testKey } from '../../../src-main/access/http-signatures/testing/signed-requests.ts';
import { type Answer, prepareAs, transmit } from '../clients/raw-client.ts';
import { HONEST_NAMES } from './name-servers.ts';

const POLL_MS = 2_000;

/** How long a key was still believed after its owner had revoked it. */
interface Afterlife {
  readonly seconds: number;
  /** Whether the node refused it in the end. Otherwise nobody looked for longer. */
  readonly dead: boolean;
}

/**
 * Clients that publish a key, use it, revoke it, and go on signing with it. The node has to ask a name server where
 * they are.
 */
export class RevokedKeys {
  readonly #server: Server;
  readonly #published = new Map<string, TestKey>();
  readonly #node: { publicUrl: string; shop: string };
  readonly #origin: string;
  #watching = true;

  private constructor(server: Server, origin: string, node: { publicUrl: string; shop: string }, published: Map<string, TestKey>) {
    this.#server = server;
    this.#origin = origin;
    this.#node = node;
    this.#published = published;
  }

  static async start(node: { publicUrl: string; shop: string }): Promise<RevokedKeys> {
    const published = new Map<string, TestKey>();
    const server = createServer((request, response) => {
      const key = published.get(request.url?.replace(/\/jwks\.json$/, '') ?? '');
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: key === undefined ? [] : [key.jwk] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new RevokedKeys(server, `http://keys.${HONEST_NAMES}:${(server.address() as AddressInfo).port}`, node, published);
  }

  /** Revokes one key after the other until it is told to stop. */
  async watch(): Promise<Afterlife[]> {
    const lives: Afterlife[] = [];
    for (let n = 0; this.#watching; n++) {
      const life = await this.#revoke(`/client-${n}`);
      if (life !== undefined) lives.push(life);
    }
    return lives;
  }

  stop(): void {
    this.#watching = false;
    this.#server.close();
  }

  async #revoke(path: string): Promise<Afterlife | undefined> {
    const key = await testKey('soon-revoked');
    this.#published.set(path, key);
    const ask = async (method: string, url: string, token?: string, body?: object): Promise<Answer> =>
      await transmit(prepareAs(key, { method, url, ...(token !== undefined && { token }), ...(body && { body: JSON.stringify(body) }) }));
    const access = [{ type: 'incoming-payment', actions: ['create', 'read'] }];
    const grant = await this.#until(200, () =>
      ask('POST', `${this.#node.publicUrl}/auth`, undefined, { access_token: { access }, client: this.#origin + path }),
    );
    if (grant === undefined) return undefined;
    const { value } = (JSON.parse(grant.text) as { access_token: { value: string } }).access_token;
    const created = await this.#until(201, () =>
      ask('POST', `${this.#node.publicUrl}/incoming-payments`, value, { walletAddress: this.#node.shop }),
    );
    if (created === undefined) return undefined;
    const { id } = JSON.parse(created.text) as { id: string };
    this.#published.delete(path);
    const revokedAt = performance.now();
    const refused = await this.#until(401, () => ask('GET', id, value));
    return { seconds: Math.round((performance.now() - revokedAt) / 1_000), dead: refused !== undefined };
  }

  /** Asks again and again. @returns undefined when it is told to stop before an answer has this status. */
  async #until(status: number, ask: () => Promise<Answer>): Promise<Answer | undefined> {
    while (this.#watching) {
      const answer = await ask().catch(() => undefined);
      if (answer?.status === status) return answer;
      await pause(POLL_MS);
    }
    return undefined;
  }
}
