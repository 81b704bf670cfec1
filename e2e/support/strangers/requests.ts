import { randomInt, randomUUID } from 'node:crypto';
import { prepareAs } from '../clients/raw-client.ts';
import type { WireAnswer } from '../fuzz/wire.ts';
import type { GrantAnswer, MadeUpClient, Stranger } from './stranger.ts';

/** Rights that nobody has to approve. */
export const RECEIVE = [{ type: 'incoming-payment', actions: ['create', 'read', 'list', 'complete'] }];
export const QUOTE = [{ type: 'quote', actions: ['create', 'read'] }];
/** Metadata of almost the largest size that the node takes. */
export const LARGE = 'x'.repeat(15_000);

const SIZE = 14_000;
/** Fields that look like signatures and take long to read. */
const LONG_FIELDS = [
  Array.from({ length: SIZE / 12 }, (_, n) => `s${n}=("a")`).join(', '),
  `sig1=(${'"a" '.repeat(SIZE / 4)})`,
  `sig1=("@method"${' '.repeat(SIZE)}`,
  `sig1=()${';a'.repeat(SIZE / 2)}`,
  `sig1="${'\\"'.repeat(SIZE / 2)}"`,
  '('.repeat(SIZE),
];

/** Asks for a grant with one of these fields, which the node reads before it looks at any signature. */
export function sendLongField(stranger: Stranger, client: MadeUpClient, n: number): Promise<WireAnswer> {
  const body = JSON.stringify({ access_token: { access: RECEIVE }, client: client.name });
  const request = prepareAs(client.signer, { method: 'POST', url: `${stranger.node.publicUrl}/auth`, body });
  const input = LONG_FIELDS[n % LONG_FIELDS.length] ?? '';
  return stranger.send({ ...request, headers: { ...request.headers, 'signature-input': input } });
}

export const createIncoming = (stranger: Stranger, client: MadeUpClient, token: string, metadata: object) =>
  stranger.signed(client, {
    method: 'POST',
    url: `${stranger.node.publicUrl}/incoming-payments`,
    token,
    body: { walletAddress: stranger.node.shop, metadata },
  });

export const createQuote = (stranger: Stranger, client: MadeUpClient, token: string, receiver: string) => {
  // A request that is equal to one of the same second would be answered with the same quote.
  const debitAmount = { value: String(1 + randomInt(1_000_000)), assetCode: 'USD', assetScale: 2 };
  const body = { walletAddress: stranger.node.shop, receiver, method: 'ilp', debitAmount };
  return stranger.signed(client, { method: 'POST', url: `${stranger.node.publicUrl}/quotes`, token, body });
};

/**
 * Asks for something that the operator would have to approve. Nobody opens its page.
 * @param finish how the browser would come back. Without it the client may poll.
 */
export const askToPay = (stranger: Stranger, client: MadeUpClient, finish?: object): Promise<GrantAnswer | undefined> =>
  stranger.askFor(client, [{ type: 'outgoing-payment', actions: ['create', 'read'], identifier: stranger.node.shop }], {
    interact: { start: ['redirect'], ...(finish && { finish }) },
  });

/** Makes a finish whose URL has more than a thousand characters. */
export const longFinish = () => ({ method: 'redirect', uri: `https://app.example/${'p'.repeat(1_000)}`, nonce: randomUUID() });

/** Fills in the form of the page of a payment. */
export function pretendToPay(stranger: Stranger, wallet: string): Promise<WireAnswer> {
  const { publicUrl, request } = stranger.node;
  const body = new URLSearchParams({ wallet, amount: '' }).toString();
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(body.length),
    accept: 'text/html',
    origin: publicUrl,
  };
  return stranger.send({ method: 'POST', url: `${publicUrl}/pay/${request}`, headers, body });
}
