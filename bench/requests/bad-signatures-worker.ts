import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { prepareAs } from '../../e2e/support/clients/raw-client.ts';
import { MadeUpWallets } from '../../e2e/support/strangers/made-up-wallets.ts';
import { RECEIVE } from '../../e2e/support/strangers/requests.ts';
import { type AttackedNode, Stranger, type Tally } from '../../e2e/support/strangers/stranger.ts';

// Sends a thousand requests a second whose signature is wrong, from many network addresses, while it is told to.

const PER_SECOND = 1_000;
const TICK_MS = 10;
/**
 * The most that wait for an answer. A refusal takes a second, so nearly a thousand wait all the time. Beyond this
 * number the node is slower than its strangers, and they have to wait, too.
 */
const MOST_OPEN = 1_500;
const ADDRESSES = 100;

const { node } = workerData as { node: AttackedNode };
const tally: Tally = {};
const wallets = await MadeUpWallets.start();
const strangers = Array.from({ length: ADDRESSES }, (_, at) => new Stranger(node, wallets, `127.0.20.${at + 1}`, tally));
const [first] = strangers;
if (first === undefined) throw new Error('nobody sends');
const client = await first.keyOnly();
const other = await first.keyOnly();
const token = (await first.askFor(client, RECEIVE))?.access_token?.value ?? '';
const path = `${node.publicUrl}/incoming-payments/${node.request}`;
/** The token is right, so the node has to look at the signature. Each request names a moment of its own. */
const forged = () =>
  prepareAs(
    { ...other.signer, kid: client.signer.kid },
    { method: 'GET', url: path, token },
    { moreParameters: `;tag="${randomBytes(6).toString('hex')}"` },
  );

const told: { state: 'resting' | 'sending' | 'leaving' } = { state: 'resting' };
let [open, sent, sentFor, before] = [0, 0, 0, performance.now()];
parentPort?.on('message', (next: typeof told.state) => {
  told.state = next;
});
parentPort?.postMessage('ready');
while (told.state !== 'leaving') {
  const now = performance.now();
  if (told.state === 'sending') sentFor += now - before;
  before = now;
  while (told.state === 'sending' && sent < (sentFor / 1_000) * PER_SECOND && open < MOST_OPEN) {
    open += 1;
    void strangers[sent++ % ADDRESSES]?.send(forged()).then(
      () => (open -= 1),
      () => (open -= 1),
    );
  }
  await pause(TICK_MS);
}
parentPort?.postMessage({ tally, perSecond: sent / (sentFor / 1_000) });
for (const stranger of strangers) stranger.leave();
wallets.stop();
