import type { EventType } from '../../../src-shared/event-types.ts';
import type { ClientTiers } from '../../access/clients/client-tiers.ts';
import type { AuditBook } from '../../audit/audit-book.ts';
import type { EventFeed } from '../../journal/events.ts';
import type { AppLock } from '../../operator-api/lock/app-lock.ts';
import type { PeerDirectory } from '../../peers/peer-directory.ts';
import type { Logger } from '../../platform/logs/logger.ts';

interface Followed {
  events: Pick<EventFeed, 'listen'>;
  directory: Pick<PeerDirectory, 'reload'>;
  lock: Pick<AppLock, 'hear'>;
  tiers: Pick<ClientTiers, 'forgetAll'>;
  audit: Pick<AuditBook, 'load'>;
  log: Logger;
}

/** The operator has decided how far an app is trusted. */
const ABOUT_TRUST: ReadonlySet<EventType> = new Set(['client.trust_chosen', 'grant.approved', 'grant.revoked', 'grant.allowed_again']);

/**
 * Keeps what this replica has in memory as the other replicas have stored it: the peers, the console's lock, how far
 * apps are trusted, and what the audit has found. It hears of them through the journal, a moment after they were
 * stored. What decides over money is asked in its write.
 * @returns a function that ends it.
 */
export async function followOthers({ events, directory, lock, tiers, audit, log }: Followed): Promise<() => void> {
  const failed = (error: unknown) => log.error({ err: error }, 'what another replica has changed could not be read');
  return await events.listen((batch) => {
    const types = batch.map(({ type }) => type);
    if (types.some((type) => type.startsWith('peer.'))) directory.reload().catch(failed);
    if (types.some((type) => ABOUT_TRUST.has(type))) tiers.forgetAll();
    if (types.some((type) => type.startsWith('books.'))) audit.load().catch(failed);
    const ofLock = types.filter((type) => type.startsWith('lock.') || type === 'console.locked' || type === 'console.unlocked');
    if (ofLock.length > 0) lock.hear(ofLock).catch(failed);
  });
}
