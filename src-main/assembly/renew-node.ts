import { freezeAccess } from '../access/grants/after-copy.ts';
import { resealSchedule } from '../backup/after-copy.ts';
import { endCheckouts } from '../checkout/after-copy.ts';
import { actAs } from '../journal/acting.ts';
import { appendEvent } from '../journal/events.ts';
import { endSessions } from '../operator-api/after-copy.ts';
import { otherAct } from '../operator-api/operator-acts.ts';
import { doubtRemotePayments } from '../payments/outgoing/after-copy.ts';
import { type Reseal, resealPeers } from '../peers/after-copy.ts';
import type { Clock } from '../platform/clock.ts';
import { changedState, type Generation, readNodeState, storeNodeState } from '../platform/data-folder/generation.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import { keyIdOf, type SecretsFile, workingSecrets } from '../platform/secrets/node-secrets.ts';
import { Seal } from '../platform/secrets/seal.ts';
import { forgetRemoteGrants } from '../remote-wallets/after-copy.ts';

interface Parts {
  database: Database;
  generation: Generation;
  secretsFile: SecretsFile;
  clock: Clock;
}

/**
 * Makes books that were put back from a copy safe to go on with, before anything else of the node starts. What they do
 * not know of what happened since is assumed at its worst: every token, session and link ends, grants are frozen,
 * payments that left for other nodes wait for the operator, and the node key is renewed, so that nothing sealed or
 * derived from it before counts. The STREAM secret stays: payers hold addresses made from it.
 *
 * One write, and a key that counts only after it: a crash finds the books before or after, and the next start does or
 * ends the same.
 */
export async function renewNode({ database, generation, secretsFile, clock }: Parts): Promise<void> {
  const old = secretsFile.read();
  const renewed = secretsFile.prepareRenewal(old);
  const [before, after] = [workingSecrets(old), workingSecrets(renewed)];
  const reseal = (purpose: string): Reseal => ({ from: new Seal(before.derive(purpose)), to: new Seal(after.derive(purpose)) });
  const at = clock.now();
  const state = await readNodeState(database);
  const next = await generation.next();
  const renew = async (tx: Tx) => {
    await doubtRemotePayments(tx, at);
    await freezeAccess(tx, at);
    await resealPeers(tx, reseal('peer-tokens'), reseal('sent-packets'));
    await resealSchedule(tx, reseal('backup-schedule'));
    await forgetRemoteGrants(tx);
    await endCheckouts(tx, at);
    await endSessions(tx);
    await storeNodeState(tx, changedState(state, { generation: next, keyId: keyIdOf(renewed), restoredAt: at }));
    await appendEvent(tx, { type: 'node.restored', subject: 'node', at });
  };
  await actAs(otherAct('backups.restore'), () => database.write(renew));
  secretsFile.settle(keyIdOf(renewed));
  generation.remember(next);
}
