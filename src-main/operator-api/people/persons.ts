import { and, asc, eq, sql } from 'drizzle-orm';
import type { Role } from '../../../src-shared/people/roles.ts';
import { namesOfBrowser } from '../../../src-shared/words/console/browser-name.ts';
import type { Doer } from '../../journal/doer.ts';
import { prepared, type Reader, type Tx } from '../../platform/database/database.ts';
import { FIRST_OWNER, people } from '../tables.ts';

export type PersonRow = typeof people.$inferSelect;

/** A person whom the console lets in. */
export interface Person {
  id: string;
  name: string;
  role: Role;
}

/** The first owner of a node that has stored nobody yet. The first write about persons stores them. */
const FIRST: PersonRow = { id: FIRST_OWNER, name: '', role: 'owner', state: 'active', createdAt: 0, removedAt: null };

const byId = prepared((reader: Reader) =>
  reader
    .select()
    .from(people)
    .where(eq(people.id, sql.placeholder('id')))
    .prepare(),
);

const oldestOwner = prepared((reader: Reader) =>
  reader
    .select()
    .from(people)
    .where(and(eq(people.role, 'owner'), eq(people.state, 'active')))
    .orderBy(asc(people.createdAt), asc(people.id))
    .limit(1)
    .prepare(),
);

/** The row of a person, removed ones included. It is undefined when there is no such person. */
export async function personRow(reader: Reader, id: string): Promise<PersonRow | undefined> {
  const [row] = await byId(reader).execute({ id });
  return row ?? (id === FIRST_OWNER ? FIRST : undefined);
}

/**
 * The owner at the computer of the node: the desktop window, console links and scripts with the operator's token act as
 * this person. It is the owner who has been there longest.
 */
export async function ownerHere(reader: Reader): Promise<PersonRow> {
  const [row] = await oldestOwner(reader).execute({});
  return row ?? FIRST;
}

/** Stores the first owner, unless that was done before. Every write about persons begins with it. */
export const storeFirstOwner = async (tx: Tx): Promise<void> => {
  await tx.insert(people).values(FIRST).onConflictDoNothing();
};

/** All persons, removed ones included, the first one first. */
export async function everybody(reader: Reader): Promise<PersonRow[]> {
  const rows = await reader.select().from(people).orderBy(asc(people.createdAt), asc(people.id));
  return rows.length === 0 ? [FIRST] : rows;
}

/** All who were not removed, the first one first. */
export const presentPeople = async (reader: Reader): Promise<PersonRow[]> =>
  (await everybody(reader)).filter(({ state }) => state !== 'removed');

/** Whether somebody else than this person is an owner who has signed in before. */
export async function hasOtherOwner(tx: Tx, id: string): Promise<boolean> {
  const owners = await tx
    .select({ id: people.id })
    .from(people)
    .where(and(eq(people.role, 'owner'), eq(people.state, 'active')));
  return owners.some((owner) => owner.id !== id);
}

/** A person as who does something. @param userAgent what their browser says of itself; empty where it says nothing */
export const doerOf = ({ id, name, role }: Person, userAgent = ''): Doer => ({
  ...{ kind: 'person', id, name, role },
  from: browserFacts(userAgent),
});

/** What the log keeps of a browser: the names by which people know it among the sessions, and nothing else. */
function browserFacts(userAgent: string): Record<string, string> {
  const { browser, system } = namesOfBrowser(userAgent);
  return { ...(browser !== undefined && { browser }), ...(system !== undefined && { system }) };
}
