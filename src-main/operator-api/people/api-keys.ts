import { asc, count, eq, inArray, or, sql } from 'drizzle-orm';
import { groupsFor, isKeyGroup, type KeyGroup } from '../../../src-shared/people/key-groups.ts';
import type { Role } from '../../../src-shared/people/roles.ts';
import { hashSecret } from '../../access/secrets.ts';
import { appendEvent } from '../../journal/events.ts';
import type { Core } from '../../platform/core.ts';
import { prepared, type Reader } from '../../platform/database/database.ts';
import { newId, newSecret } from '../../platform/ids.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import { walletAddresses } from '../../wallet-addresses/tables.ts';
import { apiKeys } from '../tables.ts';
import type { Narrowed } from './narrowed.ts';

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
export interface ApiKeyRow extends Omit<Row, 'keyHash' | 'formerHash' | 'groups' | 'accounts'> {
  /** The groups for which it was made; null for all that its role may do. */
  groups: readonly KeyGroup[] | null;
  /** The accounts for which it was made; null for all. */
  accounts: readonly KeyAccount[] | null;
}

interface KeyAccount {
  readonly id: string;
  readonly publicName: string;
}

/** What the owner wants of a key. The accounts are ids. */
interface WantedKey extends Pick<Row, 'name' | 'role' | 'expiresAt'> {
  readonly groups?: readonly KeyGroup[] | null;
  readonly accounts?: readonly string[] | null;
}

/**
 * Why there is no key. `unfit_group`: its role has not all of a group, or a group cannot be bounded by accounts.
 */
type KeyProblem = 'too_many' | 'end_past' | 'unfit_group' | 'no_account';

/** The caller whom a key let in. */
export interface KeyCaller {
  id: string;
  name: string;
  role: Role;
  /** What it may do less than its role. It is undefined for a key without bounds. */
  narrowed: Narrowed | undefined;
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
    const { read } = this.#parts.database;
    return await shownKeys(read, await read.select().from(apiKeys).orderBy(asc(apiKeys.createdAt), asc(apiKeys.id)));
  }

  /**
   * Makes a key.
   * @param wanted `expiresAt` is in milliseconds since the Unix epoch; null for never.
   * @returns it with its value, which nobody can read again.
   */
  async create({ groups = null, accounts = null, ...wanted }: WantedKey): Promise<Result<{ key: ApiKeyRow; value: string }, KeyProblem>> {
    const [at, value] = [this.#parts.clock.now(), newValue()];
    if (wanted.expiresAt !== null && wanted.expiresAt <= at) return refuse('end_past');
    const fitting = groupsFor(wanted.role, accounts !== null);
    if (groups?.some((group) => !fitting.includes(group))) return refuse('unfit_group');
    const key: Row = {
      ...{ id: newId(), ...wanted, groups: asText(groups), accounts: asText(accounts) },
      ...{ keyHash: hashSecret(value), formerHash: null, formerEndsAt: null, createdAt: at, lastUsedAt: null, isPaused: false },
    };
    return await this.#parts.database.write(async (tx) => {
      const [row] = await tx.select({ there: count() }).from(apiKeys);
      if ((row?.there ?? 0) >= MOST_API_KEYS) return refuse('too_many');
      const shown = await shownKey(tx, key);
      if (accounts !== null && new Set(accounts).size !== shown.accounts?.length) return refuse('no_account');
      await tx.insert(apiKeys).values(key);
      await appendEvent(tx, { type: 'api_key.created', subject: key.id, body: factsOf(shown), at });
      return ok({ key: shown, value });
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
      return ok({ key: await shownKey(tx, { ...present, ...change }), value });
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
    const { id, name, role, groups, accounts } = row;
    const isStillIn = async (reader: Reader) => {
      const now = await this.#goodRow(reader, hash);
      return now?.role === role && now.groups === groups && now.accounts === accounts;
    };
    return { id, name, role, narrowed: narrowedBy(row), isStillIn };
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

/** The column of a list, in which ids and groups are separated by commas. Null stands for no bound. */
const asText = (list: readonly string[] | null): string | null => (list === null ? null : [...new Set(list)].join(','));

const listIn = (text: string): string[] => text.split(',').filter((one) => one !== '');

/** The groups of a key. What this version does not know lets it call nothing. */
const groupsIn = (text: string): KeyGroup[] => listIn(text).filter(isKeyGroup);

function narrowedBy({ groups, accounts }: Pick<Row, 'groups' | 'accounts'>): Narrowed | undefined {
  if (groups === null && accounts === null) return undefined;
  return {
    groups: groups === null ? undefined : new Set(groupsIn(groups)),
    accounts: accounts === null ? undefined : new Set(listIn(accounts)),
  };
}

/** The keys as the operator sees them, with the names of their accounts. */
async function shownKeys(reader: Reader, rows: readonly Row[]): Promise<ApiKeyRow[]> {
  const ids = [...new Set(rows.flatMap(({ accounts }) => listIn(accounts ?? '')))];
  const { id, publicName } = walletAddresses;
  const named = ids.length === 0 ? [] : await reader.select({ id, publicName }).from(walletAddresses).where(inArray(id, ids));
  const byId = new Map(named.map((account) => [account.id, account]));
  return rows.map(({ keyHash: _hash, formerHash: _former, groups, accounts, ...row }) => ({
    ...row,
    groups: groups === null ? null : groupsIn(groups),
    accounts: accounts === null ? null : listIn(accounts).flatMap((one) => byId.get(one) ?? []),
  }));
}

async function shownKey(reader: Reader, row: Row): Promise<ApiKeyRow> {
  const [shown] = await shownKeys(reader, [row]);
  if (shown === undefined) throw new Error('a key is gone right after it was read');
  return shown;
}

/** What the activity log says of a new key. */
const factsOf = ({ name, role, groups, accounts }: ApiKeyRow): Record<string, string> => ({
  ...{ name, role },
  ...(groups !== null && { groups: groups.join(' ') }),
  ...(accounts !== null && { accounts: accounts.map(({ id }) => id).join(' ') }),
});

const newValue = (): string => `${PREFIX}${newSecret()}`;
