import { and, eq, gt, isNull, or } from 'drizzle-orm';
import type { Core } from '../../platform/core.ts';
import { grants } from '../tables.ts';
import type { Client } from './clients.ts';

/**
 * How far the node trusts a client. `own`: it is an account of this node. `allowed`: the operator has approved a grant
 * of it that still counts. `stranger`: everybody else; a key that somebody made up a moment ago is one.
 */
export type Tier = 'stranger' | 'allowed' | 'own';

/** How long an answer is used again. An app that was just allowed waits so long for its larger limits. */
const KEPT_MS = 5_000;
const MAX_KEPT = 5_000;

/** Finds out how far the node trusts a client. The caller has verified that it is this client. */
export class ClientTiers {
  readonly #parts: Pick<Core, 'database' | 'clock' | 'urls'>;
  readonly #known = new Map<string, { tier: Tier; until: number }>();

  constructor(parts: Pick<Core, 'database' | 'clock' | 'urls'>) {
    this.#parts = parts;
  }

  async tierOf({ kind, id }: Client): Promise<Tier> {
    // Who is known by a key only can never ask the operator for anything.
    if (kind === 'jwk') return 'stranger';
    const { clock, urls } = this.#parts;
    if (urls.parse(id)?.kind === 'wallet-address') return 'own';
    const known = this.#known.get(id);
    if (known !== undefined && clock.monotonic() < known.until) return known.tier;
    const tier = (await this.#isAllowed(id)) ? 'allowed' : 'stranger';
    if (this.#known.size >= MAX_KEPT) this.#known.clear();
    this.#known.set(id, { tier, until: clock.monotonic() + KEPT_MS });
    return tier;
  }

  async #isAllowed(clientId: string): Promise<boolean> {
    const found = await this.#parts.database.read
      .select({ id: grants.id })
      .from(grants)
      .where(
        and(
          eq(grants.clientId, clientId),
          eq(grants.state, 'issued'),
          eq(grants.interactive, true),
          or(isNull(grants.expiresAt), gt(grants.expiresAt, this.#parts.clock.now())),
        ),
      )
      .limit(1);
    return found.length > 0;
  }
}
