import { and, eq, gt, inArray, isNull, or } from 'drizzle-orm';
import { appendEvent } from '../../journal/events.ts';
import type { Core } from '../../platform/core.ts';
import { clientTrust, grants, type Tier } from '../tables.ts';
import type { Client } from './clients.ts';
import { limitsOf, type TierLimits } from './tier-limits.ts';

/**
 * How long an answer is used again, in milliseconds. Only limits depend on it (decisions.md#D-141). A change at another
 * process is heard a moment later; see {@link ClientTiers.forgetAll}.
 */
const KEPT_MS: Readonly<Record<Tier, number>> = { stranger: 1_000, known: 5_000, trusted: 5_000 };
const MAX_KEPT = 5_000;

/** How far a client is trusted. */
interface Trust {
  tier: Tier;
  /** What the operator chose for it. It is null while the usual tier holds. */
  chosen: Tier | null;
  usual: Tier;
}

interface Parts extends Pick<Core, 'database' | 'clock' | 'urls'> {
  /** The setting `--client-rate`. */
  clientRate: number;
}

/** Says how far the node trusts a client, and lets the operator choose. */
export class ClientTiers {
  readonly #parts: Parts;
  readonly #known = new Map<string, { tier: Tier; until: number }>();
  /** How often somebody decided. What was read before that is not remembered after it. */
  #choices = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The caller has verified that it is this client. */
  async tierOf({ kind, id }: Client): Promise<Tier> {
    // A key alone can never ask the operator for anything, and anybody makes thousands of them.
    if (kind === 'jwk') return 'stranger';
    if (this.isOwn(id)) return 'trusted';
    const { clock } = this.#parts;
    const known = this.#known.get(id);
    if (known !== undefined && clock.monotonic() < known.until) return known.tier;
    const choices = this.#choices;
    const { tier } = await this.trustIn(id);
    if (choices !== this.#choices) return tier;
    if (this.#known.size >= MAX_KEPT) this.#known.clear();
    this.#known.set(id, { tier, until: clock.monotonic() + KEPT_MS[tier] });
    return tier;
  }

  /** Whether the client is an account of this node. Those are always trusted. */
  isOwn(clientId: string): boolean {
    return this.#parts.urls.parse(clientId)?.kind === 'wallet-address';
  }

  /** @param clientId the wallet address of a client elsewhere. */
  async trustIn(clientId: string): Promise<Trust> {
    const { read } = this.#parts.database;
    const [row] = await read.select({ tier: clientTrust.tier }).from(clientTrust).where(eq(clientTrust.clientId, clientId));
    const usual = (await this.#isAllowed(clientId)) ? 'known' : 'stranger';
    return { tier: row?.tier ?? usual, chosen: row?.tier ?? null, usual };
  }

  /** What each tier lets one client use up. */
  limits(): Record<Tier, TierLimits> {
    const of = (tier: Tier) => limitsOf(tier, this.#parts.clientRate);
    return { stranger: of('stranger'), known: of('known'), trusted: of('trusted') };
  }

  /** The operator chooses how far to trust a client elsewhere. @param tier null for the usual tier. */
  async choose(clientId: string, tier: Tier | null): Promise<void> {
    const { database, clock } = this.#parts;
    const at = clock.now();
    await database.write(async (tx) => {
      await tx.delete(clientTrust).where(eq(clientTrust.clientId, clientId));
      if (tier !== null) await tx.insert(clientTrust).values({ clientId, tier, chosenAt: at });
      const body = { client: clientId, tier: tier ?? 'usual' };
      await appendEvent(tx, { type: 'client.trust_chosen', subject: clientId, body, at });
    });
    this.forget(clientId);
  }

  /** What is remembered of a client is true no more: the operator has just decided something about it. */
  forget(clientId: string): void {
    this.#choices += 1;
    this.#known.delete(clientId);
  }

  /** Forgets what is remembered of all clients: another process has decided something about one of them. */
  forgetAll(): void {
    this.#choices += 1;
    this.#known.clear();
  }

  async #isAllowed(clientId: string): Promise<boolean> {
    const found = await this.#parts.database.read
      .select({ id: grants.id })
      .from(grants)
      .where(
        and(
          eq(grants.clientId, clientId),
          inArray(grants.state, ['approved', 'issued']),
          eq(grants.interactive, true),
          or(isNull(grants.expiresAt), gt(grants.expiresAt, this.#parts.clock.now())),
        ),
      )
      .limit(1);
    return found.length > 0;
  }
}
