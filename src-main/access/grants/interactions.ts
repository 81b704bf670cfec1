import { randomInt } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import type { Core } from '../../platform/core.ts';
import { untilChanged } from '../../platform/until-changed.ts';
import { appendGrantEvent, type Grant, stateAt } from '../grant-rows.ts';
import { hashSecret } from '../secrets.ts';
import { grants } from '../tables.ts';
import type { Continuations } from './continuations.ts';
import { interactionHash, withParameters } from './finish-uri.ts';
import { lapse, OPENED_MS, readWaiting } from './lapses.ts';
import { placeToOpen } from './places.ts';

export interface WaitingInteraction {
  kind: 'waiting';
  /** The four digits that the operator types. */
  code: string;
  client: { id: string; name: string | null };
  lapsesAt: number;
}

export type InteractionOutcome = 'approved' | 'issued' | 'denied' | 'lapsed' | 'revoked';

interface DecidedInteraction {
  kind: 'decided';
  outcome: InteractionOutcome;
  /** The URL to which the browser goes. It is undefined when the client named none, or has fetched its token. */
  redirect: string | undefined;
}

/**
 * The answer when so many other pages are open that the operator could not look at this one. The person may try again.
 */
interface CrowdedInteraction {
  kind: 'crowded';
}

/** What the page of an interaction shows, or where the node sends the browser. */
type InteractionView = WaitingInteraction | DecidedInteraction | CrowdedInteraction;

interface Wait {
  /** The longest wait, in milliseconds. */
  holdMs: number;
  /** It is aborted when the page no longer waits. */
  gone: AbortSignal;
  /** Counts what a read takes, and does it. */
  reading: <T>(read: () => Promise<T>) => Promise<T>;
}

interface Parts extends Pick<Core, 'database' | 'clock'> {
  continuations: Continuations;
}

/** Serves the pages to which clients send people while the operator decides. */
export class Interactions {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Opens the page, for the first time or again. The first time takes a place, makes the code and tells the operator.
   * @returns undefined when there is no such interaction.
   */
  async open(id: string, nonce: string): Promise<InteractionView | undefined> {
    const grant = await this.#find(id, nonce);
    if (grant === undefined) return undefined;
    const now = this.#parts.clock.now();
    if (stateAt(grant, now) !== 'pending' || grant.code !== null) return this.#view(grant, now);
    const code = randomInt(10_000).toString().padStart(4, '0');
    const isCrowded = await this.#parts.database.write(async (tx) => {
      const others = (await readWaiting(tx, now)).filter((one) => one.id !== grant.id);
      const place = placeToOpen(grant.clientId, others);
      if (place === undefined) return true;
      const [opened] = await tx
        .update(grants)
        .set({ code, openedAt: now, lapsesAt: now + OPENED_MS })
        .where(and(eq(grants.id, grant.id), eq(grants.state, 'pending'), isNull(grants.code)))
        .returning();
      if (opened === undefined) return false;
      await appendGrantEvent(tx, 'grant.opened', opened, {}, now);
      await lapse(tx, place, now);
      return false;
    });
    if (isCrowded) return { kind: 'crowded' };
    const opened = await this.#find(id, nonce);
    return opened && this.#view(opened, now);
  }

  /**
   * Waits until somebody has decided or nobody can decide any more, at most `holdMs` milliseconds.
   * @returns whether the page still has to wait. It is undefined when there is no such interaction.
   */
  async waits(id: string, nonce: string, { reading, ...wait }: Wait): Promise<boolean | undefined> {
    const { database, clock } = this.#parts;
    const isPending = (grant: Grant): boolean => stateAt(grant, clock.now()) === 'pending';
    const grant = await untilChanged({
      database,
      read: () => reading(() => this.#find(id, nonce)),
      isNew: (found) => found === undefined || !isPending(found),
      ...wait,
    });
    return grant && isPending(grant);
  }

  async #find(id: string, nonce: string): Promise<Grant | undefined> {
    // The secret finds the grant, as with continuations.
    const [grant] = await this.#parts.database.read
      .select()
      .from(grants)
      .where(eq(grants.interactionNonceHash, hashSecret(nonce)));
    return grant?.interactionId === id ? grant : undefined;
  }

  #view(grant: Grant, now: number): InteractionView {
    const state = stateAt(grant, now);
    if (state === 'pending' && grant.code !== null && grant.lapsesAt !== null) {
      return { kind: 'waiting', code: grant.code, client: { id: grant.clientId, name: grant.clientName }, lapsesAt: grant.lapsesAt };
    }
    const outcome = state === 'pending' ? 'lapsed' : state === 'frozen' ? 'issued' : state;
    const parameters = this.#finish(grant, outcome);
    const redirect = grant.finishUri === null || parameters === undefined ? undefined : withParameters(grant.finishUri, parameters);
    return { kind: 'decided', outcome, redirect };
  }

  /** What the browser tells the client (protocol-notes.md#PN-19): nothing once the client has fetched its token. */
  #finish(grant: Grant, outcome: InteractionOutcome): Record<string, string> | undefined {
    switch (outcome) {
      case 'approved': {
        const interactRef = this.#parts.continuations.interactRef(grant.id);
        const { finishNonce, serverNonce, endpoint } = grant;
        const hash = interactionHash({ clientNonce: finishNonce ?? '', serverNonce: serverNonce ?? '', interactRef, endpoint });
        return { hash, interact_ref: interactRef };
      }
      case 'denied':
        return { result: 'grant_rejected' };
      case 'lapsed':
        return { result: 'invalid_interaction', message: 'interaction expired' };
      case 'revoked':
        return { result: 'unknown_interaction', message: 'unknown interaction' };
      case 'issued':
        return undefined;
    }
  }
}
