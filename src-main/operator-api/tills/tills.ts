import { and, asc, eq, gt, isNotNull, lte, ne, sql } from 'drizzle-orm';
import { hashSecret } from '../../access/secrets.ts';
import { actAs } from '../../journal/acting.ts';
import { appendEvent } from '../../journal/events.ts';
import type { Core } from '../../platform/core.ts';
import { prepared, type Reader, type Tx } from '../../platform/database/database.ts';
import { newId, newSecret } from '../../platform/ids.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import { otherAct } from '../operator-acts.ts';
import type { SessionSecrets } from '../people/sessions.ts';
import { tills } from '../tables.ts';
import { type DeviceRefusal, doerOfTill, type PairedDevice, type TillRow, whyOut } from './paired-device.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** How long a pairing link waits for a device, in milliseconds. */
export const PAIRING_MS = 10 * MINUTE_MS;
/** The most tills. Nobody can keep an eye on more. */
export const MOST_TILLS = 50;
/** The node remembers a removed till for this long, so that its device is told what became of it. */
const REMEMBERED_MS = 30 * DAY_MS;
/** `lastUsedAt` is this exact, in milliseconds. It spares a write for each call. */
const REFRESH_MS = MINUTE_MS;
/** The most characters that the node keeps of a browser's name for itself. */
const MOST_AGENT = 300;

/** A till that was added, with the secret of its pairing link. The node tells the secret once. */
export interface Pairing {
  till: TillRow;
  secret: string;
  endsAt: number;
}

type Named = Pick<TillRow, 'name' | 'accountId'>;

const bySecret = prepared((reader: Reader) =>
  reader
    .select()
    .from(tills)
    .where(eq(tills.secretHash, sql.placeholder('secretHash')))
    .prepare(),
);

const byPairing = prepared((reader: Reader) =>
  reader
    .select()
    .from(tills)
    .where(eq(tills.pairingHash, sql.placeholder('pairingHash')))
    .prepare(),
);

/**
 * The phones and tablets that are tills. The database has only hashes of their secrets. Each change is one write, and
 * each replica looks at the row again at every call. So pausing and removing a till counts everywhere at once.
 */
export class Tills {
  readonly #parts: Pick<Core, 'database' | 'clock' | 'log'>;

  constructor(parts: Pick<Core, 'database' | 'clock' | 'log'>) {
    this.#parts = parts;
  }

  /** All tills that were not removed, the oldest first. */
  async list(): Promise<TillRow[]> {
    return await present(this.#parts.database.read);
  }

  /** Adds a till, and makes the link that pairs a device. @param madeBy the name of the person who adds it. */
  async add({ name, accountId }: Named, madeBy: string): Promise<Result<Pairing, 'name_taken' | 'too_many'>> {
    const [at, secret, id] = [this.#parts.clock.now(), newSecret(), newId()];
    const till: TillRow = {
      ...{ id, name, accountId, state: 'active', ...pairingOf(secret, at), secretHash: null, pageHash: null },
      ...{ userAgent: '', madeBy, createdAt: at, lastUsedAt: null, removedAt: null },
    };
    return await this.#parts.database.write(async (tx) => {
      const there = await present(tx);
      if (there.length >= MOST_TILLS) return refuse('too_many');
      if (isTaken(there, till)) return refuse('name_taken');
      await tx.delete(tills).where(and(eq(tills.state, 'removed'), lte(tills.removedAt, at - REMEMBERED_MS)));
      await tx.insert(tills).values(till);
      await appendEvent(tx, { type: 'till.added', subject: id, body: { name }, at });
      return ok({ till, secret, endsAt: at + PAIRING_MS });
    });
  }

  /** Changes the name, or the account into which it sells. */
  async change(id: string, wanted: Named): Promise<Result<TillRow, 'not_found' | 'name_taken'>> {
    const at = this.#parts.clock.now();
    return await this.#parts.database.write(async (tx) => {
      const there = await present(tx);
      const till = there.find((one) => one.id === id);
      if (till === undefined) return refuse('not_found');
      if (isTaken(there, { id, ...wanted })) return refuse('name_taken');
      await tx.update(tills).set(wanted).where(eq(tills.id, id));
      const body = { name: wanted.name, ...(wanted.name !== till.name && { was: till.name }) };
      await appendEvent(tx, { type: 'till.changed', subject: id, body, at });
      return ok({ ...till, ...wanted });
    });
  }

  /** Refuses the device of a till until {@link goOn}. @returns undefined when there is no such till. */
  async pause(id: string): Promise<TillRow | undefined> {
    return await this.#set(id, 'till.paused', { state: 'paused' });
  }

  async goOn(id: string): Promise<TillRow | undefined> {
    return await this.#set(id, 'till.went_on', { state: 'active' });
  }

  /** Makes another pairing link. The node refuses the paired device at once. */
  async pairAnew(id: string): Promise<Pairing | undefined> {
    const [at, secret] = [this.#parts.clock.now(), newSecret()];
    const change = { ...pairingOf(secret, at), secretHash: null, pageHash: null, userAgent: '', lastUsedAt: null };
    const till = await this.#set(id, 'till.pairing_made', { state: 'active', ...change });
    return till && { till, secret, endsAt: at + PAIRING_MS };
  }

  /**
   * Removes a till. The node refuses its device at once, and tells it why for {@link REMEMBERED_MS}. @returns whether
   * it was there.
   */
  async remove(id: string): Promise<boolean> {
    const removedAt = this.#parts.clock.now();
    const gone = await this.#set(id, 'till.removed', { state: 'removed', removedAt, pairingHash: null, pairingEndsAt: null });
    return gone !== undefined;
  }

  /**
   * Exchanges the secret of a pairing link for those of a device. A link works once. A wrong secret (of 256 bits) costs
   * one look into an index and no write.
   */
  async pair(secret: string, userAgent: string): Promise<Result<SessionSecrets, 'wrong_secret' | 'link_ended'>> {
    const at = this.#parts.clock.now();
    const pairingHash = hashSecret(secret);
    const [known] = await byPairing(this.#parts.database.read).execute({ pairingHash });
    if (known?.pairingEndsAt == null) return refuse('wrong_secret');
    if (known.pairingEndsAt <= at) return refuse('link_ended');
    const secrets = { cookie: newSecret(), page: newSecret() };
    const device = {
      ...{ secretHash: hashSecret(secrets.cookie), pageHash: hashSecret(secrets.page), userAgent: userAgent.slice(0, MOST_AGENT) },
      ...{ pairingHash: null, pairingEndsAt: null, lastUsedAt: at },
    };
    const store = async (tx: Tx) => {
      const waits = and(eq(tills.pairingHash, pairingHash), gt(tills.pairingEndsAt, at), ne(tills.state, 'removed'));
      const [till] = await tx.update(tills).set(device).where(waits).returning();
      if (till === undefined) return false;
      await appendEvent(tx, { type: 'till.paired', subject: till.id, body: { name: till.name }, at });
      return true;
    };
    const paired = await actAs(otherAct('till.pair', doerOfTill(known)), () => this.#parts.database.write(store));
    return paired ? ok(secrets) : refuse('wrong_secret');
  }

  /** The device to which both secrets belong, or the reason why the node refuses it. */
  async find({ cookie, page }: SessionSecrets): Promise<Result<PairedDevice, DeviceRefusal>> {
    const row = await this.#byCookie(cookie);
    if (row?.secretHash == null || row.pageHash !== hashSecret(page)) return refuse('TILL_NOT_PAIRED');
    const now = this.#parts.clock.now();
    const why = whyOut(row, row.secretHash, now);
    if (why !== undefined) return refuse(why);
    await this.#noteUse(row, now);
    const { id, name, accountId, secretHash } = row;
    const refusalIn = async (reader: Reader) => whyOut(await tillRow(reader, id), secretHash, this.#parts.clock.now());
    return ok({ id, name, accountId, refusalIn });
  }

  /** The name of the device with this cookie. The cookie alone lets nobody do anything. */
  async nameOf(cookie: string): Promise<string | undefined> {
    const row = await this.#byCookie(cookie);
    return row?.state === 'removed' ? undefined : row?.name;
  }

  async #byCookie(cookie: string): Promise<TillRow | undefined> {
    return (await bySecret(this.#parts.database.read).execute({ secretHash: hashSecret(cookie) }))[0];
  }

  async #set(
    id: string,
    type: 'till.paused' | 'till.went_on' | 'till.pairing_made' | 'till.removed',
    change: Partial<TillRow>,
  ): Promise<TillRow | undefined> {
    const at = this.#parts.clock.now();
    return await this.#parts.database.write(async (tx) => {
      const till = await tillRow(tx, id);
      if (till === undefined || till.state === 'removed') return undefined;
      await tx.update(tills).set(change).where(eq(tills.id, id));
      await appendEvent(tx, { type, subject: id, body: { name: till.name }, at });
      return { ...till, ...change };
    });
  }

  async #noteUse({ id, lastUsedAt, secretHash }: TillRow, now: number): Promise<void> {
    if (lastUsedAt !== null && now - lastUsedAt < REFRESH_MS && now >= lastUsedAt) return;
    try {
      await this.#parts.database.write(async (tx) => {
        await tx
          .update(tills)
          .set({ lastUsedAt: now })
          .where(and(eq(tills.id, id), isNotNull(tills.secretHash), eq(tills.secretHash, secretHash ?? '')));
      });
    } catch (error) {
      // A database that takes no writes must not hide from the counter what was paid.
      this.#parts.log.warn({ err: error }, 'the last use of a till could not be stored');
    }
  }
}

const present = async (reader: Reader): Promise<TillRow[]> =>
  await reader.select().from(tills).where(ne(tills.state, 'removed')).orderBy(asc(tills.createdAt), asc(tills.id));

async function tillRow(reader: Reader, id: string): Promise<TillRow | undefined> {
  return (await reader.select().from(tills).where(eq(tills.id, id)))[0];
}

/** Whether another till has the same name. People tell sales apart by that name, and do not look at capitals. */
const isTaken = (there: readonly TillRow[], { id, name }: Pick<TillRow, 'id' | 'name'>): boolean =>
  there.some((one) => one.id !== id && one.name.toLowerCase() === name.toLowerCase());

const pairingOf = (secret: string, at: number) => ({ pairingHash: hashSecret(secret), pairingEndsAt: at + PAIRING_MS });
