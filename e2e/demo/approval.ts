import { setTimeout as delay } from 'node:timers/promises';
import type { ClientWallet } from '../support/clients/client-wallet.ts';
import { readCode, type SpendingRequest, waitingRequest } from '../support/clients/flows.ts';
import type { RunningNode } from '../support/nodes/running-node.ts';
import type { Narrator } from './narrator.ts';

/** What the parts of the story work with. */
export interface Stage {
  readonly node: RunningNode;
  readonly client: ClientWallet;
  readonly clientName: string;
  readonly tell: Narrator;
  /** Whether the demo itself plays the person and the operator. */
  readonly approves: boolean;
}

type Decision = { kind: 'approved'; back: URLSearchParams } | { kind: 'denied' } | { kind: 'lapsed' };

const LOOK_MS = 250;
/** An open page sends its browser back within a second. After this many milliseconds it has probably been closed. */
const REMIND_MS = 8_000;

/** Waits until the operator has decided and the browser is back at the client, or until nobody has decided in time. */
export async function decisionOn(stage: Stage, asked: SpendingRequest): Promise<Decision> {
  const { client, tell } = stage;
  const reference = new Promise<URLSearchParams>((resolve) => {
    const next = (query: URLSearchParams) => {
      // A denial comes without a reference, so it may belong to an earlier request. Below the demo asks the node for
      // its denials.
      if (query.has('interact_ref')) resolve(query);
      else client.returned.then(next, () => undefined);
    };
    client.returned.then(next, () => undefined);
  });
  if (stage.approves) await playThePersonAndTheOperator(stage, asked);
  else {
    tell.url('The approval page, for the person who asks:', asked.grant.interact.redirect);
    tell.wants('Open that page in your browser. It shows a code of four digits.');
  }
  const look = watcher(stage, asked);
  for (;;) {
    const back = await Promise.race([reference, delay(LOOK_MS)]);
    if (back !== undefined) return { kind: 'approved', back };
    const state = await look();
    if (state === 'denied' || state === 'lapsed') return { kind: state };
  }
}

/** Tells the person what to do now, each time something has changed. */
function watcher({ node, tell }: Stage, { grant }: SpendingRequest): () => Promise<string> {
  let opened = false;
  let wrongCodes = 0;
  let decidedAt: number | undefined;
  let reminded = false;
  return async () => {
    // The list begins with the newest request. Only the request that was just made can wait.
    const { items } = await node.operator.apps.grants({ limit: 10 });
    const state = items.find(({ interactive }) => interactive)?.state ?? 'lapsed';
    const [request] = await node.operator.approvals.list();
    if (request !== undefined && !opened) {
      opened = true;
      tell.wants(
        'The page is open. Now open the console and choose Approvals: compare what is asked for, type the code and approve.',
        `The request waits until ${request.lapsesAt.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}.`,
      );
    }
    if (request !== undefined && request.wrongCodes > wrongCodes) {
      wrongCodes = request.wrongCodes;
      tell.wants(`That was not the code on the page. ${5 - wrongCodes} attempts are left.`);
    }
    if (state === 'approved' && decidedAt === undefined) {
      decidedAt = performance.now();
      tell.says('The operator has approved. The page sends the browser back to the app by itself.');
    }
    if (decidedAt !== undefined && !reminded && performance.now() - decidedAt > REMIND_MS) {
      reminded = true;
      tell.wants('The browser has not come back. Open the approval page again:');
      tell.says(grant.interact.redirect);
    }
    return state;
  };
}

/** Approves over the page and the operator API for `--approve`, because the node has no switch that approves. */
async function playThePersonAndTheOperator({ node, client, tell }: Stage, asked: SpendingRequest): Promise<void> {
  tell.url('The person who asks opens the approval page:', asked.grant.interact.redirect);
  const code = await readCode(client, asked);
  tell.says(`It shows the code ${code}.`);
  const { id, shownHash, client: who } = await waitingRequest(node);
  tell.asks('operator', 'node', `sees that ${who.host ?? who.id} asks, types ${code} and approves`);
  await node.operator.approvals.approve({ id, code, shownHash });
  await client.follow(asked.grant.interact.redirect);
}
