import { asc, count, eq, or, sql } from 'drizzle-orm';
import type { Role } from '../../../src-shared/people/roles.ts';
import { hashSecret } from '../../access/secrets.ts';
import { appendEvent } from '../../journal/events.ts';
import type { Core } from '../../platform/core.ts';
import { prepared, type Reader } from '../../platform/database/database.ts';
import { newId, newSecret } from '../../platform/ids.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import { apiKeys } from '../tables.ts';

const MINUTE_MS = 60_000;
/** The former value works for this long after a rotation, so that the software can be given the new one. */
export const OVERLAP_MS = 24 * 60 * MINUTE_MS;
/** `lastUsedAt` is this exact, in milliseconds. It spares a write for each call. */
const REFRESH_MS = MINUTE_MS;
/** The most keys. Nobody can keep an eye on more. */
export const MOST_API_KEYS = 100;
/** The beginning of every key, so that people and scanners for leaked secrets recognise it. */
const PREFIX = 'paydesk_';

type Row = typeof apiKeys.$inferSelect;
/** A key as the operator sees it. Its value is not stored. */
export type ApiKeyRow = Omit<Row, 'keyHash' | 'formerHash'>;

/** The caller whom a key let in. */
export interface KeyCaller {
  id: string;
  name: string;
  role: Role;
  /** Whether the value that was used still lets its software in. */
  isStillIn(reader: Reader): Promise<boolean>;
}

const byHash = prepared((reader: Reader) =>
  reader
    .select()
    .from(apiKeys)
    .where(or(eq(apiKeys.keyHash, sql.placeholder('hash')), eq(apiKeys.formerHash, sql.placeholder('hash'))))
    .prepare(),
);

/** Whether a text has the form of an API key. */
export const isApiKey = (text: string): boolean => text.startsWith(PREFIX);

/** The keys with which the shop's own software calls the operator API. The database has only their hashes. */
export class ApiKeys {
  readonly #parts: Pick<Core, 'database' | 'clock' | 'log'>;

  constructor(parts: Pick<Core, 'database' | 'clock' | 'log'>) {
    this.#parts = parts;
  }

  /** All keys, the oldest first. Those that have ended stay in the list until the owner removes them. */
  async list(): Promise<ApiKeyRow[]> {
    return await this.#parts.database.read.select().from(apiKeys).orderBy(asc(apiKeys.createdAt), asc(apiKeys.id));
  }

  /**
   * Makes a key.
   * @param wanted `expiresAt` is in milliseconds since the Unix epoch; null for never.
   * @returns it with its value, which nobody can read again.
   */
  async create(
    wanted: Pick<Row, 'name' | 'role' | 'expiresAt'>,
  ): Promise<Result<{ key: ApiKeyRow; value: string }, 'too_many' | 'end_past'>> {
    const [at, value] = [this.#parts.clock.now(), newValue()];
    if (wanted.expiresAt !== null && wanted.expiresAt <= at) return refuse('end_past');
    const key = { id: newId(), ...wanted, formerEndsAt: null, createdAt: at, lastUsedAt: null, isPaused: false };
    return await this.#parts.database.write(async (tx) => {
      const [row] = await tx.select({ there: count() }).from(apiKeys);
      if ((row?.there ?? 0) >= MOST_API_KEYS) return refuse('too_many');
      await tx.insert(apiKeys).values({ ...key, keyHash: hashSecret(value), formerHash: null });
      await appendEvent(tx, { type: 'api_key.created', subject: key.id, body: { name: key.name, role: key.role }, at });
      return ok({ key, value });
    });
  }

  /** Gives a key another value. The present one works for {@link OVERLAP_MS} more, and one before it no more. */
  async rotate(id: string): Promise<Result<{ key: ApiKeyRow; value: string }, 'not_found'>> {
    const [at, value] = [this.#parts.clock.now(), newValue()];
    return await this.#parts.database.write(async (tx) => {
      const [present] = await tx.select().from(apiKeys).where(eq(apiKeys.id, id));
      if (present === undefined) return refuse('not_found');
      const change = { keyHash: hashSecret(value), formerHash: present.keyHash, formerEndsAt: at + OVERLAP_MS };
      await tx.update(apiKeys).set(change).where(eq(apiKeys.id, id));
      await appendEvent(tx, { type: 'api_key.rotated', subject: id, body: { name: present.name }, at });
      return ok({ key: { ...present, ...change }, value });
    });
  }

  /** Ends a key at once, with its former value. @returns whether it was there. */
  async revoke(id: string): Promise<boolean> {
    const at = this.#parts.clock.now();
    return await this.#parts.database.write(async (tx) => {
      const [gone] = await tx.delete(apiKeys).where(eq(apiKeys.id, id)).returning({ name: apiKeys.name });
      if (gone === undefined) return false;
      await appendEvent(tx, { type: 'api_key.revoked', subject: id, body: { name: gone.name }, at });
      return true;
    });
  }

  /** Allows a key again that waits since the books were restored. @returns whether it was there. */
  async allowAgain(id: string): Promise<boolean> {
    const at = this.#parts.clock.now();
    return await this.#parts.database.write(async (tx) => {
      const [allowed] = await tx.update(apiKeys).set({ isPaused: false }).where(eq(apiKeys.id, id)).returning({ name: apiKeys.name });
      if (allowed === undefined) return false;
      await appendEvent(tx, { type: 'api_key.allowed_again', subject: id, body: { name: allowed.name }, at });
      return true;
    });
  }

  /** The caller whose key this value is. It is undefined for a value that is unknown, has ended, or waits. */
  async find(value: string): Promise<KeyCaller | undefined> {
    const hash = hashSecret(value);
    const row = await this.#goodRow(this.#parts.database.read, hash);
    if (row === undefined) return undefined;
    await this.#noteUse(row);
    const { id, name, role } = row;
    const isStillIn = async (reader: Reader) => (await this.#goodRow(reader, hash))?.role === role;
    return { id, name, role, isStillIn };
  }

  async #goodRow(reader: Reader, hash: string): Promise<Row | undefined> {
    const [row] = await byHash(reader).execute({ hash });
    const now = this.#parts.clock.now();
    if (row === undefined || row.isPaused || (row.expiresAt !== null && row.expiresAt <= now)) return undefined;
    const isFormer = row.keyHash !== hash;
    return isFormer && (row.formerEndsAt === null || row.formerEndsAt <= now) ? undefined : row;
  }

  async #noteUse({ id, lastUsedAt }: Row): Promise<void> {
    const now = this.#parts.clock.now();
    // A time that a clock stored which was ahead is put right at the next use.
    if (lastUsedAt !== null && now - lastUsedAt < REFRESH_MS && now >= lastUsedAt) return;
    try {
      await this.#parts.database.write(async (tx) => {
        await tx.update(apiKeys).set({ lastUsedAt: now }).where(eq(apiKeys.id, id));
      });
    } catch (error) {
      // A database that takes no writes must not shut out software that only reads.
      this.#parts.log.warn({ err: error }, 'the last use of an API key could not be stored');
    }
  }
}

const newValue = (): string => `${PREFIX}${newSecret()}`;
