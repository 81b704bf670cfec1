import type { ClockWitnesses } from '../../platform/clock-witnesses.ts';
import { siteOf } from '../../platform/outbound-http/targets.ts';
import type { ClientTiers } from './client-tiers.ts';
import type { Client } from './clients.ts';

interface Parts {
  tiers: Pick<ClientTiers, 'isOwn' | 'tierOf'>;
  witnesses: ClockWitnesses;
}

/** Hears by their signatures what the clocks of clients say that the node trusts. Clients of one site are one party. */
export class ClientClocks {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether the clock of a client is of interest now. Nothing need be verified of the client yet. */
  async wants(client: Client): Promise<boolean> {
    const { tiers, witnesses } = this.#parts;
    if (client.kind === 'jwk' || tiers.isOwn(client.id) || witnesses.knows(siteOf(client.id))) return false;
    return (await tiers.tierOf(client)) !== 'stranger';
  }

  /** A client has signed a request. @param created in seconds since the Unix epoch. */
  signed(client: Client, created: number): void {
    this.#parts.witnesses.signed(siteOf(client.id), created);
  }
}
