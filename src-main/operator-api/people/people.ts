import { and, eq, gt, lte, ne } from 'drizzle-orm';
import type { Role } from '../../../src-shared/people/roles.ts';
import { hashSecret } from '../../access/secrets.ts';
import { appendEvent } from '../../journal/events.ts';
import type { Core } from '../../platform/core.ts';
import type { Tx } from '../../platform/database/database.ts';
import { newId, newSecret } from '../../platform/ids.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import { operatorLinks, operatorSessions, people } from '../tables.ts';
import { forgetPersonEverywhere } from './known-browsers.ts';
import { hasOtherOwner, ownerHere, type PersonRow, personRow, presentPeople, storeFirstOwner } from './persons.ts';
import type { OperatorSessions } from './sessions.ts';
import { allowWaysAgain, forgetPin, forgetWays, pausedPeople, peopleWithPin } from './ways.ts';

/** How long a sign-in link works, in milliseconds. */
export const SIGN_IN_LINK_MS = 24 * 3_600_000;
/** The most people. Nobody can keep an eye on more. */
export const MOST_PEOPLE = 100;

/** A sign-in link, which the node tells once: it stores only the hash of its secret. */
interface NewLink {
  id: string;
  name: string;
  secret: string;
  endsAt: number;
}

interface Parts extends Pick<Core, 'database' | 'clock'> {
  sessions: OperatorSessions;
}

/** A person as an owner sees them. `linkEndsAt` is when the link that waits for them ends. */
export interface ListedPerson extends PersonRow {
  linkEndsAt: number | null;
  sessions: number;
  /** Whether their passkeys or their password wait for an owner, since the books were restored. */
  isPaused: boolean;
  hasPin: boolean;
}

/**
 * The persons who work with the console. Each change is one write: the person, their links, their sessions and the
 * entry in the activity log. So no crash leaves a removed person with a session, and of two replicas that do something
 * at once each sees what the other did.
 */
export class People {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The owner at the computer of the node; see {@link ownerHere}. */
  async ownerHere(): Promise<PersonRow> {
    return await ownerHere(this.#parts.database.read);
  }

  /** Whether more than one person works with the node. */
  async areSeveral(): Promise<boolean> {
    return (await presentPeople(this.#parts.database.read)).length > 1;
  }

  /** Everybody who was not removed, the first one first. */
  async list(): Promise<ListedPerson[]> {
    const { read } = this.#parts.database;
    const [here, links, sessions, paused, withPin] = await Promise.all([
      presentPeople(read),
      read.select().from(operatorLinks).where(gt(operatorLinks.expiresAt, this.#parts.clock.now())),
      this.#parts.sessions.list(),
      pausedPeople(read),
      peopleWithPin(read),
    ]);
    return here.map((person) => ({
      ...person,
      linkEndsAt: links.find(({ personId }) => personId === person.id)?.expiresAt ?? null,
      sessions: sessions.filter(({ personId }) => personId === person.id).length,
      ...{ isPaused: paused.has(person.id), hasPin: withPin.has(person.id) },
    }));
  }

  /** Adds a person, and makes the link by which they sign in. */
  async invite({ name, role }: { name: string; role: Role }): Promise<Result<NewLink, 'too_many'>> {
    const at = this.#parts.clock.now();
    const person: PersonRow = { id: newId(), name, role, state: 'invited', createdAt: at, removedAt: null };
    const link = newLink(person, at);
    return await this.#parts.database.write(async (tx) => {
      await storeFirstOwner(tx);
      const present = await tx.select({ id: people.id }).from(people).where(ne(people.state, 'removed'));
      if (present.length >= MOST_PEOPLE) return refuse('too_many');
      await tx.insert(people).values(person);
      await storeLink(tx, link, at);
      await appendEvent(tx, { type: 'person.invited', subject: person.id, body: { name, role }, at });
      return ok(link);
    });
  }

  /** Makes another sign-in link for a person. One that waits for them ends. */
  async makeLink(id: string): Promise<Result<NewLink, 'not_found'>> {
    const at = this.#parts.clock.now();
    const made = newLink({ id, name: '' }, at);
    return await this.#parts.database.write(async (tx) => {
      const person = await this.#present(tx, id);
      if (person === undefined) return refuse('not_found');
      const link = { ...made, name: person.name };
      await storeLink(tx, link, at);
      await appendEvent(tx, { type: 'person.link_made', subject: id, body: { name: person.name }, at });
      return ok(link);
    });
  }

  /**
   * Changes a name or a role. The same write signs a person who gets another role out everywhere, so that nothing goes
   * on with the former one. Their PIN works nowhere until they have signed in without it.
   */
  async change(
    id: string,
    wanted: { name?: string | undefined; role?: Role | undefined },
  ): Promise<Result<true, 'not_found' | 'last_owner'>> {
    const at = this.#parts.clock.now();
    const done = await this.#parts.database.write(async (tx): Promise<Result<string[], 'not_found' | 'last_owner'>> => {
      const person = await this.#present(tx, id);
      if (person === undefined) return refuse('not_found');
      const { name = person.name, role = person.role } = wanted;
      if (role !== 'owner' && !(await mayBeLost(tx, person))) return refuse('last_owner');
      const body = { name, role, ...(name !== person.name && { was: person.name }) };
      await appendEvent(tx, { type: 'person.changed', subject: id, body, at });
      await tx.update(people).set({ name, role }).where(eq(people.id, id));
      if (role === person.role) return ok([]);
      await forgetPersonEverywhere(tx, id);
      return ok(await this.#parts.sessions.endOf(tx, id, at));
    });
    return this.#tell(done);
  }

  /** Lets a person sign in again with what they had before a restore. @returns false when there is no such person. */
  async allowAgain(id: string): Promise<boolean> {
    const at = this.#parts.clock.now();
    return await this.#parts.database.write(async (tx) => {
      const person = await this.#present(tx, id);
      if (person === undefined) return false;
      await appendEvent(tx, { type: 'person.allowed_again', subject: id, body: { name: person.name, role: person.role }, at });
      await allowWaysAgain(tx, id);
      return true;
    });
  }

  /** Takes the PIN of a person away. @returns false when they have none, or are not there. */
  async removePin(id: string): Promise<boolean> {
    const at = this.#parts.clock.now();
    return await this.#parts.database.write(async (tx) => {
      const person = await this.#present(tx, id);
      if (person === undefined || !(await forgetPin(tx, id))) return false;
      await appendEvent(tx, { type: 'pin.removed', subject: id, body: { name: person.name }, at });
      return true;
    });
  }

  /** Removes a person, and signs them out everywhere in the same write. */
  async remove(id: string): Promise<Result<true, 'not_found' | 'last_owner'>> {
    const at = this.#parts.clock.now();
    const done = await this.#parts.database.write(async (tx): Promise<Result<string[], 'not_found' | 'last_owner'>> => {
      const person = await this.#present(tx, id);
      if (person === undefined) return refuse('not_found');
      if (!(await mayBeLost(tx, person))) return refuse('last_owner');
      const { name, role } = person;
      // Who removes themselves may do so only until the row below has changed.
      await appendEvent(tx, { type: 'person.removed', subject: id, body: { name, role }, at });
      await tx.update(people).set({ state: 'removed', removedAt: at }).where(eq(people.id, id));
      await tx.delete(operatorLinks).where(eq(operatorLinks.personId, id));
      await forgetWays(tx, id);
      return ok(await this.#parts.sessions.endOf(tx, id, at));
    });
    return this.#tell(done);
  }

  /** Ends the answers under way for sessions that a write has ended. */
  #tell<E>(done: Result<string[], E>): Result<true, E> {
    if (!done.ok) return done;
    this.#parts.sessions.tellEnded(done.value);
    return ok(true);
  }

  async #present(tx: Tx, id: string): Promise<PersonRow | undefined> {
    await storeFirstOwner(tx);
    const person = await personRow(tx, id);
    return person?.state === 'removed' ? undefined : person;
  }
}

/** Whether a person may stop being an owner. There must always be another one who has signed in before. */
const mayBeLost = async (tx: Tx, { id, role, state }: PersonRow): Promise<boolean> =>
  role !== 'owner' || state !== 'active' || (await hasOtherOwner(tx, id));

const newLink = ({ id, name }: Pick<PersonRow, 'id' | 'name'>, at: number): NewLink => ({
  ...{ id, name, secret: newSecret(), endsAt: at + SIGN_IN_LINK_MS },
});

/**
 * Stores a link. The person's other links end, and so does what somebody began by one of them over the network. All
 * links whose time is over end, too.
 */
async function storeLink(tx: Tx, { id, secret, endsAt }: NewLink, at: number): Promise<void> {
  await tx.delete(operatorLinks).where(lte(operatorLinks.expiresAt, at));
  await tx.delete(operatorLinks).where(eq(operatorLinks.personId, id));
  await tx.delete(operatorSessions).where(and(eq(operatorSessions.personId, id), eq(operatorSessions.isLimited, true)));
  await tx.insert(operatorLinks).values({ secretHash: hashSecret(secret), personId: id, createdAt: at, expiresAt: endsAt });
}
