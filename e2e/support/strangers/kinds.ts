import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { serializeIlpPrepare } from 'ilp-packet';
import { attacks } from '../clients/attacks.ts';
import { type PreparedRequest, prepareAs } from '../clients/raw-client.ts';
import { SILENT_NAMES } from './name-servers.ts';
import { askToPay, createIncoming, createQuote, LARGE, longFinish, pretendToPay, QUOTE, RECEIVE, sendLongField } from './requests.ts';
import type { MadeUpClient, Stranger } from './stranger.ts';

/** One step of a stranger, again and again. */
type Step = () => Promise<void>;

interface Kind {
  /** The number of this kind that act at once, each from an address of its own. */
  readonly lanes: number;
  readonly begin: (stranger: Stranger) => Step;
}

/** The number of requests with a made-up key before there is another one. */
const USES = 50;
const PIPELINED = 300;
const UNREAD_MS = 5_000;
const BYTE_MS = 500;

/** Uses each new key for a number of requests. */
function withKeys(access: readonly object[], use: (stranger: Stranger, client: MadeUpClient, token: string) => Promise<unknown>) {
  return (stranger: Stranger): Step => {
    let now: { client: MadeUpClient; token: string; left: number } | undefined;
    return async () => {
      if (now === undefined || now.left === 0) {
        const client = await stranger.keyOnly();
        const token = (await stranger.askFor(client, access))?.access_token?.value;
        now = token === undefined ? undefined : { client, token, left: USES };
      }
      if (now === undefined) return;
      now.left -= 1;
      await use(stranger, now.client, now.token);
    };
  };
}

const paymentLists =
  (stranger: Stranger): Step =>
  async () => {
    const client = await stranger.keyOnly();
    const token = (await stranger.askFor(client, RECEIVE))?.access_token?.value;
    if (token === undefined) return;
    for (let n = 0; n < 30; n++) await createIncoming(stranger, client, token, { LARGE, n });
    const list = `${stranger.node.publicUrl}/incoming-payments?wallet-address=${encodeURIComponent(stranger.node.shop)}&first=100`;
    for (let n = 0; n < 10; n++) {
      const socket = stranger.connect();
      socket.pause();
      socket.write(asText(prepareAs(client.signer, { method: 'GET', url: list, token })).repeat(PIPELINED));
      stranger.count('unread');
    }
    await pause(UNREAD_MS);
  };

function asText({ method, url, headers, body = '' }: PreparedRequest): string {
  const { host, pathname, search } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

const longFields = (stranger: Stranger): Step => {
  let count = 0;
  return async () => void (await sendLongField(stranger, await stranger.keyOnly(), count++));
};

const badSignatures = (stranger: Stranger): Step => {
  let waiting: PreparedRequest[] = [];
  return async () => {
    if (waiting.length === 0) {
      const [client, other] = [await stranger.keyOnly(), await stranger.keyOnly()];
      const token = (await stranger.askFor(client, RECEIVE))?.access_token?.value ?? randomUUID();
      const body = JSON.stringify({ walletAddress: stranger.node.shop });
      const request = { method: 'POST', url: `${stranger.node.publicUrl}/incoming-payments`, token, body };
      const cast = { signer: client.signer, stranger: other.signer, foreignTokens: { access: 'x', continuation: 'x' } };
      waiting = (await attacks(request, cast)).map(([, attack]) => attack);
    }
    const next = waiting.pop();
    if (next !== undefined) await stranger.send(next);
  };
};

const polling = (stranger: Stranger): Step => {
  let left = 0;
  let next: { client: MadeUpClient; uri: string; token: string } | undefined;
  return async () => {
    if (next === undefined || left === 0) {
      const client = stranger.withWallet();
      const { continue: goOn } = (await askToPay(stranger, client)) ?? {};
      next = goOn && { client, uri: goOn.uri, token: goOn.access_token.value };
      left = 10 * USES;
    }
    if (next === undefined) return;
    left -= 1;
    const { status } = await stranger.signed(next.client, { method: 'POST', url: next.uri, token: next.token });
    // The node has dropped this grant request for another one.
    if (status === 401) next = undefined;
  };
};

const pretendedPayers = (stranger: Stranger): Step => {
  let count = 0;
  return async () => {
    // Two of three visitors name a wallet that answers until somebody would have to approve.
    await pretendToPay(stranger, count++ % 3 === 0 ? stranger.wallets.nextSilent() : stranger.wallets.next());
  };
};

const slowBody =
  (stranger: Stranger): Step =>
  async () => {
    const socket = stranger.connect();
    let answer = '';
    socket.on('data', (part) => {
      answer += part.toString('latin1');
    });
    const closed = once(socket, 'close').catch(() => undefined);
    const { host } = new URL(stranger.node.publicUrl);
    socket.write(`POST /auth HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n{`);
    const drip = setInterval(() => socket.write(' '), BYTE_MS);
    await closed;
    clearInterval(drip);
    stranger.count(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 'closed');
  };

const quotesOfOwn = (stranger: Stranger): Step => {
  let receiver: string | undefined;
  return withKeys([...RECEIVE, ...QUOTE], async (_, client, token) => {
    if (receiver === undefined) {
      const { status, text } = await createIncoming(stranger, client, token, {});
      if (status === 201) receiver = (JSON.parse(text) as { id: string }).id;
    } else await createQuote(stranger, client, token, receiver);
  })(stranger);
};

/** Each packet is another one, so that the node cannot answer with what it remembers. */
const packetsOfPausedPeer = (stranger: Stranger): Step => {
  const { pausedPeer } = stranger.node;
  if (pausedPeer === undefined) throw new Error('no peer is paused');
  const { endpoint, token } = pausedPeer;
  return async () => {
    const body = serializeIlpPrepare({
      amount: '1',
      destination: `test.nowhere.${randomUUID()}`,
      executionCondition: randomBytes(32),
      expiresAt: new Date(Date.now() + 30_000),
      data: randomBytes(1_000),
    });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' };
    await stranger.send({ method: 'POST', url: endpoint, headers, body });
  };
};

/** The kinds of strangers, by name. Each kind wants to use up something else. */
export const KINDS: Readonly<Record<string, Kind>> = {
  'keys with nonces': {
    lanes: 4,
    begin: withKeys(RECEIVE, (stranger, client, token) => {
      const url = `${stranger.node.publicUrl}/incoming-payments/${randomUUID()}`;
      return stranger.signed(client, { method: 'GET', url, token }, `;nonce="${randomBytes(64).toString('hex')}"`);
    }),
  },
  'incoming payments': {
    lanes: 4,
    begin: withKeys(RECEIVE, (stranger, client, token) => createIncoming(stranger, client, token, { LARGE, id: randomUUID() })),
  },
  'grants never opened': {
    lanes: 4,
    begin: (stranger) => async () => void (await askToPay(stranger, stranger.withWallet(), longFinish())),
  },
  'quotes to silent hosts': {
    lanes: 16,
    begin: withKeys(QUOTE, (stranger, client, token) => {
      const silent = new URL(stranger.wallets.nextSilent());
      return createQuote(stranger, client, token, `${silent.origin}/incoming-payments${silent.pathname}`);
    }),
  },
  'quotes to wallets that give permissions': {
    lanes: 8,
    begin: withKeys(QUOTE, (stranger, client, token) => {
      const wallet = new URL(stranger.wallets.next());
      return createQuote(stranger, client, token, `${wallet.origin}/incoming-payments${wallet.pathname}`);
    }),
  },
  'quotes on this node': { lanes: 4, begin: quotesOfOwn },
  'lists never read': { lanes: 2, begin: paymentLists },
  'headers of 14 KB': { lanes: 4, begin: longFields },
  'keys at silent hosts': {
    lanes: 16,
    begin: (stranger) => async () =>
      void (await stranger.askFor({ signer: stranger.wallets.key, name: stranger.wallets.nextSilent() }, RECEIVE)),
  },
  'keys at silent name servers': {
    lanes: 16,
    begin: (stranger) => async () =>
      void (await stranger.askFor({ signer: stranger.wallets.key, name: `http://w-${randomUUID()}.${SILENT_NAMES}/shop` }, RECEIVE)),
  },
  'quotes to silent name servers': {
    lanes: 8,
    begin: withKeys(QUOTE, (stranger, client, token) =>
      createQuote(stranger, client, token, `http://w-${randomUUID()}.${SILENT_NAMES}/incoming-payments/${randomUUID()}`),
    ),
  },
  'a paused peer': { lanes: 8, begin: packetsOfPausedPeer },
  'pretended payers': { lanes: 8, begin: pretendedPayers },
  'bad signatures': { lanes: 4, begin: badSignatures },
  'polling for a grant': { lanes: 4, begin: polling },
  'slow bodies': { lanes: 100, begin: slowBody },
};
