import { freezeAccess } from '../../access/grants/after-copy.ts';
import { resealSchedule } from '../../backup/after-copy.ts';
import { endCheckouts } from '../../checkout/after-copy.ts';
import { actAs } from '../../journal/acting.ts';
import { appendEvent } from '../../journal/events.ts';
import { endWaysIn } from '../../operator-api/after-copy.ts';
import { otherAct } from '../../operator-api/operator-acts.ts';
import { doubtClaims } from '../../payments/claims/after-copy.ts';
import { doubtRemotePayments } from '../../payments/outgoing/after-copy.ts';
import { doubtRefunds } from '../../payments/refunds/after-copy.ts';
import { endInvitations, type Reseal, resealPeers } from '../../peers/after-copy.ts';
import { closeArchiveFiles } from '../../platform/archive/archive.ts';
import type { Core } from '../../platform/core.ts';
import { changedState, type Generation, readNodeState, storeNodeState } from '../../platform/data-folder/generation.ts';
import type { Tx } from '../../platform/database/database.ts';
import { keyIdOf, type SecretsFile, workingSecrets } from '../../platform/secrets/node-secrets.ts';
import { Seal } from '../../platform/secrets/seal.ts';
import { forgetPrintJobs } from '../../printing/after-copy.ts';
import { beginNewSeries } from '../../receipts/after-copy.ts';
import { forgetRemoteGrants } from '../../remote-wallets/after-copy.ts';

interface Parts extends Pick<Core, 'database' | 'clock'> {
  generation: Generation;
  secretsFile: SecretsFile;
}

/**
 * Makes books that were restored from a copy safe to continue with. Call it before any other part of the node starts.
 * The books do not know what happened after the copy was made, so the node assumes the worst. It ends every token,
 * session, link and API key, and it freezes the grants. Payments that left for other nodes wait for the operator. The
 * node key is renewed, so that nothing that was sealed with the old key or derived from it is valid. The STREAM secret
 * stays, because payers hold addresses made from it.
 *
 * All changes are one write, and the new key becomes valid only after that write. After a crash the books are either
 * unchanged or completely changed, and the next start repeats or completes the renewal.
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
    await doubtRefunds(tx, at);
    await doubtClaims(tx, at);
    await freezeAccess(tx, at);
    await resealPeers(tx, reseal('peer-tokens'), reseal('sent-packets'));
    await endInvitations(tx);
    await resealSchedule(tx, reseal('backup-schedule'));
    await forgetRemoteGrants(tx);
    await closeArchiveFiles(tx);
    await beginNewSeries(tx);
    await forgetPrintJobs(tx, at);
    await endCheckouts(tx, at);
    await endWaysIn(tx, reseal('sign-in-codes'), at);
    await storeNodeState(tx, changedState(state, { generation: next, keyId: keyIdOf(renewed), restoredAt: at, isQuiet: true }));
    await appendEvent(tx, { type: 'node.restored', subject: 'node', at });
  };
  await actAs(otherAct('backups.restore'), () => database.write(renew));
  secretsFile.endRenewal(keyIdOf(renewed));
  generation.remember(next);
}
