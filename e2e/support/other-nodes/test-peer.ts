import { randomBytes, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { deserializeIlpReply, type IlpReply } from 'ilp-packet';
import type { Peer } from '../../../src-shared/operator-contract/peers.ts';
import { readBody } from '../nodes/http-bodies.ts';
import type { RunningNode } from '../nodes/running-node.ts';

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

interface HttpAnswer {
  status: number;
  body: Buffer;
}

/** Hands bytes to a node as a peer does, on a connection that stays open. */
export function postPacket(endpoint: string, token: string, body: Buffer): Promise<HttpAnswer> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream', 'content-length': body.length };
  return new Promise((resolve, reject) => {
    const post = request(endpoint, { method: 'POST', headers, agent }, (answer) => {
      readBody(answer).then((content) => resolve({ status: answer.statusCode ?? 0, body: content }), reject);
    });
    post.on('error', reject);
    post.end(body);
  });
}

interface TestPeerOptions {
  readonly assetCode?: string;
  readonly ilpAddress?: string;
  /** The address at which the node reaches the peer. When it is absent, the node cannot reach the peer. */
  readonly endpoint?: string;
  readonly creditLimit?: bigint;
  readonly debtLimit?: bigint | null;
  readonly maxPacketAmount?: bigint | null;
  readonly deduplicates?: boolean;
  /** What the node sends to it. */
  readonly outgoingToken?: string;
}

/** A peer of a node that a test plays, and that may send anything. */
export class TestPeer {
  readonly id: string;
  readonly endpoint: string;
  readonly token: string;
  readonly #node: RunningNode;

  private constructor(node: RunningNode, peer: Peer, { endpoint, token }: { endpoint: string; token: string }) {
    this.#node = node;
    this.id = peer.id;
    this.endpoint = endpoint;
    this.token = token;
  }

  /** Lets the node's operator add the peer. */
  static async of(node: RunningNode, options: TestPeerOptions = {}): Promise<TestPeer> {
    const { endpoint } = await node.operator.peers.self();
    const { peer, incomingToken } = await node.operator.peers.add({
      requestId: randomUUID(),
      name: 'A peer of the tests',
      assetCode: 'USD',
      assetScale: 2,
      ilpAddress: `test.peer-${randomUUID()}`,
      routes: [],
      endpoint: 'http://127.0.0.1:9/ilp',
      creditLimit: 10n ** 12n,
      debtLimit: null,
      maxPacketAmount: null,
      deduplicates: false,
      outgoingToken: randomBytes(24).toString('base64url'),
      ...options,
    });
    return new TestPeer(node, peer, { endpoint, token: incomingToken });
  }

  /** The peer's position. Above zero it is what the node owes the peer. */
  async position(): Promise<bigint> {
    const { items: peers } = await this.#node.operator.peers.list({});
    return peers.find(({ id }) => id === this.id)?.position ?? 0n;
  }

  async post(body: Buffer): Promise<HttpAnswer> {
    return await postPacket(this.endpoint, this.token, body);
  }

  async send(prepare: Buffer): Promise<IlpReply> {
    const { status, body } = await this.post(prepare);
    if (status !== 200) throw new Error(`the node answered ${status}: ${body.toString()}`);
    return deserializeIlpReply(body);
  }

  /** A plugin for libraries that pay. */
  readonly plugin = {
    sendData: async (prepare: Buffer): Promise<Buffer> => {
      const { status, body } = await this.post(prepare);
      if (status !== 200) throw new Error(`the node answered ${status}`);
      return body;
    },
  };
}
