import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { type Day, dayAt, type ShopDays, startOfDay } from '../../src-shared/calendar.ts';
import type { LogoDots } from '../../src-shared/shop/logo-dots.ts';
import { MOST_LOGO_BYTES } from '../../src-shared/shop/shop-limits.ts';
import { EMPTY_PROFILE, type ShopProfile } from '../../src-shared/shop/shop-profile.ts';
import { systemTimeZone } from '../platform/clock.ts';
import { prepared, type Reader, type Tx } from '../platform/database/database.ts';
import { type LogoType, logoTypeOf } from './logo-type.ts';
import { shopLogo, shopSettings } from './tables.ts';

/** The shop as pages, papers and sums need it. */
export interface Shop {
  profile: ShopProfile;
  /** How it counts its days: in the time zone that the operator chose, or in that of this computer. */
  days: ShopDays;
  /** A sale at the till lapses after this many minutes. */
  tillMinutes: number;
  /** The percentages that the till offers as a tip; null when it asks for none. */
  tipPercents: readonly number[] | null;
}

const ID = 'shop';
const LOGO = 'logo';
/** A sale at the till lapses after this many minutes when the operator has chosen nothing. */
const TILL_MINUTES = 10;

const settings = prepared((reader: Reader) => reader.select().from(shopSettings).where(eq(shopSettings.id, ID)).prepare());
const logoFacts = prepared((reader: Reader) =>
  reader.select({ hash: shopLogo.hash, type: shopLogo.type }).from(shopLogo).where(eq(shopLogo.id, LOGO)).prepare(),
);
const logoDots = prepared((reader: Reader) =>
  reader.select({ hash: shopLogo.hash, dots: shopLogo.dots }).from(shopLogo).where(eq(shopLogo.id, LOGO)).prepare(),
);
const logoRow = prepared((reader: Reader) => reader.select().from(shopLogo).where(eq(shopLogo.id, LOGO)).prepare());

/** Reads what is set about the shop. Checkout, pages, receipts, sums and day closings read it here only. */
export async function readShop(reader: Reader): Promise<Shop> {
  const [row] = await settings(reader).execute();
  const profile = { ...EMPTY_PROFILE, ...row?.profile };
  return {
    profile,
    days: { timeZone: row?.timeZone ?? systemTimeZone(), dayEndsAt: profile.dayEndsAt },
    tillMinutes: row?.tillMinutes ?? TILL_MINUTES,
    tipPercents: row?.tipPercents ?? null,
  };
}

/** The day of the shop to which a moment belongs, and since when it has lasted. */
export async function shopToday(reader: Reader, at: number): Promise<{ day: Day; since: number }> {
  const { days } = await readShop(reader);
  const day = dayAt(at, days);
  return { day, since: startOfDay(day, days) };
}

/** The time zone that the operator chose, or null. */
export async function chosenTimeZone(reader: Reader): Promise<string | null> {
  const [row] = await settings(reader).execute();
  return row?.timeZone ?? null;
}

/** Changes what is set about the shop. What is left out stays. A time zone of null follows this computer. */
export async function changeShop(tx: Tx, set: Partial<Omit<typeof shopSettings.$inferInsert, 'id'>>): Promise<void> {
  await tx
    .insert(shopSettings)
    .values({ id: ID, ...set })
    .onConflictDoUpdate({ target: shopSettings.id, set });
}

interface Logo {
  /** The SHA-256 of the picture, base64url. */
  hash: string;
  type: LogoType;
  bytes: Buffer;
  /** The picture for receipt printers in the network; null when they print none. */
  dots: LogoDots | null;
}

/** What the logo is, without its bytes. It is undefined while the shop has none. */
export async function logoOf(reader: Reader): Promise<Pick<Logo, 'hash' | 'type'> | undefined> {
  const [row] = await logoFacts(reader).execute();
  return row;
}

/**
 * The logo for receipt printers in the network. It is null while they print none.
 * @param hash asks for the logo with this hash only
 */
export async function readLogoDots(reader: Reader, hash?: string | null): Promise<LogoDots | null> {
  const [row] = await logoDots(reader).execute();
  return row === undefined || (hash !== undefined && row.hash !== hash) ? null : row.dots;
}

/** The logo with its bytes. It is undefined while the shop has none. */
export async function readLogo(reader: Reader): Promise<Logo | undefined> {
  const [row] = await logoRow(reader).execute();
  return row && { hash: row.hash, type: row.type, bytes: Buffer.from(row.data, 'base64'), dots: row.dots };
}

/**
 * A picture that can be the logo, as its row. It is undefined for bytes that are no such picture, or too many.
 * @param dots the same picture for receipt printers in the network
 */
export function logoFrom(bytes: Buffer, dots?: LogoDots): typeof shopLogo.$inferInsert | undefined {
  const type = logoTypeOf(bytes);
  if (type === undefined || bytes.length > MOST_LOGO_BYTES) return undefined;
  const hash = createHash('sha256').update(bytes).digest('base64url');
  return { id: LOGO, hash, type, data: bytes.toString('base64'), dots: dots ?? null };
}

/** @param row what {@link logoFrom} made; undefined removes the logo. */
export async function setLogo(tx: Tx, row: typeof shopLogo.$inferInsert | undefined): Promise<void> {
  await tx.delete(shopLogo).where(eq(shopLogo.id, LOGO));
  if (row !== undefined) await tx.insert(shopLogo).values(row);
}
