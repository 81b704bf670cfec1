import { and, eq, inArray, ne } from 'drizzle-orm';
import type { Asset } from '../../../src-shared/amounts.ts';
import type { Protected } from '../../../src-shared/people/protected.ts';
import { type Audience, managers } from '../../../src-shared/people/roles.ts';
import { appendEvent } from '../../journal/events.ts';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { people } from '../tables.ts';
import { secondPersonLimits } from './tables.ts';

/** The act is beyond what one person does alone. It undoes the write in which it is thrown. */
export class NeedsSecond extends Error {
  constructor() {
    super('this act needs a second person');
  }
}

/** The roles that confirm what waits. */
export const CONFIRMING: Audience = managers;

const isFor = (what: Protected, { assetCode, assetScale }: Asset) =>
  and(eq(secondPersonLimits.what, what), eq(secondPersonLimits.assetCode, assetCode), eq(secondPersonLimits.assetScale, assetScale));

/** All amounts that the owner has set. */
export const listSecondPersonLimits = async (reader: Reader) =>
  await reader
    .select()
    .from(secondPersonLimits)
    .orderBy(secondPersonLimits.assetCode, secondPersonLimits.assetScale, secondPersonLimits.what);

/**
 * Refuses what needs a second person. The write that does the act calls this, so that no setting comes between.
 * @param amount what would leave, in smallest units; null for anything.
 * @throws NeedsSecond when it needs a second person.
 */
export async function refuseAlone(tx: Reader, what: Protected, asset: Asset, amount: bigint | null): Promise<void> {
  const [limit] = await tx.select().from(secondPersonLimits).where(isFor(what, asset));
  if (limit !== undefined && (amount === null || amount > limit.above)) throw new NeedsSecond();
}

/** Whether somebody else than this person may confirm: somebody who has signed in before. */
export async function hasSecond(reader: Reader, id: string): Promise<boolean> {
  const [other] = await reader
    .select({ id: people.id })
    .from(people)
    .where(and(eq(people.state, 'active'), ne(people.id, id), inArray(people.role, [...CONFIRMING])))
    .limit(1);
  return other !== undefined;
}

/** What is to be set. Without an amount no second person is needed. */
export interface WantedLimit extends Asset {
  what: Protected;
  above: bigint | null;
}

/** Sets an amount, as part of a write. @param confirm is called when it lowers the protection; it may throw. */
export async function setLimitIn(tx: Tx, wanted: WantedLimit, at: number, confirm: () => Promise<void>): Promise<void> {
  const { what, assetCode, assetScale, above } = wanted;
  const [now] = await tx.select().from(secondPersonLimits).where(isFor(what, wanted));
  if (now !== undefined && (above === null || above > now.above)) await confirm();
  await tx.delete(secondPersonLimits).where(isFor(what, wanted));
  if (above !== null) await tx.insert(secondPersonLimits).values({ what, assetCode, assetScale, above });
  const body = { what, assetCode, assetScale: String(assetScale), isOn: String(above !== null), amount: String(above ?? 0n) };
  await appendEvent(tx, { type: 'second_person.set', subject: 'node', body, at });
}
