import { asc, eq, sql } from 'drizzle-orm';
import { type Asset, assetKey } from '../../src-shared/amounts.ts';
import { appendEvent } from '../journal/events.ts';
import { accountId, type OnceRefusal, openAccounts, transferOnce } from '../ledger/ledger.ts';
import type { Core } from '../platform/core.ts';
import { prepared, type Reader, type Tx } from '../platform/database/database.ts';
import { catchRefusal, ok, Refused, type Result, refuse } from '../platform/result.ts';
import { walletAddresses } from './tables.ts';

export type WalletAddress = typeof walletAddresses.$inferSelect;

interface NewWalletAddress extends Asset {
  /**
   * The caller makes one id for each wallet address. A repetition with the same id returns what the first call made.
   */
  id: string;
  /** A valid name; see src-shared/wallet-address-names. The node refuses one that another wallet address has. */
  name: string;
  publicName: string;
  /** The first deposit, in smallest units, 0 or more. */
  openingBalance: bigint;
}

/** A deposit from, or a withdrawal to, the world outside paydesk. */
interface CashMovement {
  /** The caller makes one id for each movement. A repetition with the same id changes nothing. */
  id: string;
  kind: 'deposit' | 'withdrawal';
  walletAddressId: string;
  amount: bigint;
  note: string;
}

// These queries are prepared so that refusing an unknown wallet address takes no longer than finding a known one.
const $ = sql.placeholder;
const rowById = prepared((reader: Reader) =>
  reader
    .select()
    .from(walletAddresses)
    .where(eq(walletAddresses.id, $('id')))
    .prepare(),
);
const rowByName = prepared((reader: Reader) =>
  reader
    .select()
    .from(walletAddresses)
    .where(eq(walletAddresses.name, $('name')))
    .prepare(),
);
const assetsInUse = prepared((reader: Reader) => {
  const { assetCode, assetScale } = walletAddresses;
  return reader.selectDistinct({ assetCode, assetScale }).from(walletAddresses).orderBy(assetCode, assetScale).prepare();
});
const scalesOf = prepared((reader: Reader) =>
  reader
    .selectDistinct({ scale: walletAddresses.assetScale })
    .from(walletAddresses)
    .where(eq(walletAddresses.assetCode, $('assetCode')))
    .prepare(),
);
const oldest = prepared((reader: Reader) =>
  reader.select().from(walletAddresses).orderBy(asc(walletAddresses.createdAt), asc(walletAddresses.id)).limit($('count')).prepare(),
);
const firstTwo = prepared((reader: Reader) => reader.select().from(walletAddresses).limit(2).prepare());

/**
 * The operator's wallet addresses. Their rows never change, so they stay in memory once they are read. The node always
 * reads their money from the ledger.
 */
export class WalletAddresses {
  readonly #parts: Pick<Core, 'database' | 'clock' | 'urls'>;
  readonly #byId = new Map<string, WalletAddress>();
  readonly #byName = new Map<string, WalletAddress>();

  constructor(parts: Pick<Core, 'database' | 'clock' | 'urls'>) {
    this.#parts = parts;
  }

  /** @returns the wallet address of a node that has one only. */
  async only(): Promise<WalletAddress | undefined> {
    const [only, ...others] = await firstTwo(this.#parts.database.read).execute();
    return others.length === 0 ? this.#remember(only) : undefined;
  }

  /** The wallet addresses that were made first, at most `count`. */
  async first(count: number): Promise<WalletAddress[]> {
    return await oldest(this.#parts.database.read).execute({ count });
  }

  /** The assets of all wallet addresses, each once, in the order of their codes. It looks at all of them. */
  async assets(): Promise<Asset[]> {
    return await assetsInUse(this.#parts.database.readAside).execute();
  }

  /** The numbers of decimal places with which there are wallet addresses in a currency. */
  async scalesOf(assetCode: string): Promise<number[]> {
    return (await scalesOf(this.#parts.database.readAside).execute({ assetCode })).map(({ scale }) => scale);
  }

  async byId(id: string): Promise<WalletAddress | undefined> {
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    const [row] = await rowById(this.#parts.database.read).execute({ id });
    return this.#remember(row);
  }

  async byName(name: string): Promise<WalletAddress | undefined> {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const [row] = await rowByName(this.#parts.database.read).execute({ name });
    return this.#remember(row);
  }

  /** @returns the wallet address with this URL, under the present or a former origin of the node. */
  async byUrl(url: string): Promise<WalletAddress | undefined> {
    const own = this.#parts.urls.parse(url);
    return own?.kind === 'wallet-address' ? await this.byName(own.name) : undefined;
  }

  urlOf(walletAddress: WalletAddress): string {
    return this.#parts.urls.walletAddress(walletAddress.name);
  }

  async create(wanted: NewWalletAddress): Promise<Result<WalletAddress, 'name_taken' | OnceRefusal>> {
    const { openingBalance, ...fields } = wanted;
    const row = { ...fields, createdAt: this.#parts.clock.now() };
    const outcome = await catchRefusal(this.#parts.database.write((tx) => createIn(tx, row, openingBalance)));
    if (outcome.ok) this.#remember(outcome.value);
    return outcome;
  }

  async move(movement: CashMovement): Promise<Result<WalletAddress, 'not_found' | OnceRefusal>> {
    const at = this.#parts.clock.now();
    return await catchRefusal(
      this.#parts.database.write(async (tx): Promise<Result<WalletAddress, 'not_found' | OnceRefusal>> => {
        const [walletAddress] = await tx.select().from(walletAddresses).where(eq(walletAddresses.id, movement.walletAddressId));
        if (walletAddress === undefined) return refuse('not_found');
        await moveCash(tx, walletAddress, movement, at);
        return ok(walletAddress);
      }),
    );
  }

  #remember(row: WalletAddress | undefined): WalletAddress | undefined {
    if (row !== undefined) {
      this.#byId.set(row.id, row);
      this.#byName.set(row.name, row);
    }
    return row;
  }
}

async function createIn(tx: Tx, row: WalletAddress, openingBalance: bigint): Promise<Result<WalletAddress, 'name_taken' | OnceRefusal>> {
  const [made] = await tx.insert(walletAddresses).values(row).onConflictDoNothing().returning();
  if (made === undefined) {
    const [same] = await tx.select().from(walletAddresses).where(eq(walletAddresses.id, row.id));
    return same?.name === row.name ? ok(same) : refuse('name_taken');
  }
  await openAccounts(tx, row.id, { assetCode: row.assetCode, assetScale: row.assetScale }, row.createdAt);
  await appendEvent(tx, {
    type: 'account.created',
    subject: row.id,
    walletAddressId: row.id,
    body: { name: row.name, assetCode: row.assetCode, assetScale: String(row.assetScale) },
    at: row.createdAt,
  });
  if (openingBalance > 0n) {
    const opening = { id: row.id, kind: 'deposit' as const, walletAddressId: row.id, amount: openingBalance, note: 'Opening balance' };
    await moveCash(tx, row, opening, row.createdAt);
  }
  return ok(made);
}

/**
 * Moves the money, unless this was done before.
 * @throws Refused with the ledger's reason, so that the job is undone.
 */
async function moveCash(tx: Tx, walletAddress: WalletAddress, movement: CashMovement, at: number): Promise<void> {
  const customer = accountId('customer', walletAddress.id);
  const external = accountId('external', assetKey(walletAddress));
  const [debit, credit] = movement.kind === 'deposit' ? [external, customer] : [customer, external];
  const { id, kind, amount, note } = movement;
  const moved = await transferOnce(tx, { id, kind, debit, credit, amount, note, at });
  if (!moved.ok) throw new Refused(moved.error);
  if (!moved.value) return;
  await appendEvent(tx, {
    type: kind === 'deposit' ? 'account.deposited' : 'account.withdrawn',
    subject: walletAddress.id,
    walletAddressId: walletAddress.id,
    body: { amount: amount.toString(), note },
    at,
  });
}
