import { eq } from 'drizzle-orm';
import { systemTimeZone } from '../platform/clock.ts';
import { prepared, type Reader, type Tx } from '../platform/database/database.ts';
import { shopSettings } from './tables.ts';

const ID = 'shop';
const chosen = prepared((reader: Reader) => reader.select().from(shopSettings).where(eq(shopSettings.id, ID)).prepare());

/** The time zone in which the shop counts its days: the one that the operator chose, or that of this computer. */
export async function shopTimeZone(reader: Reader): Promise<string> {
  return (await chosenTimeZone(reader)) ?? systemTimeZone();
}

/** The time zone that the operator chose, or null. */
export async function chosenTimeZone(reader: Reader): Promise<string | null> {
  const [row] = await chosen(reader).execute();
  return row?.timeZone ?? null;
}

/** @param timeZone null when the shop is to follow this computer. */
export async function setTimeZone(tx: Tx, timeZone: string | null): Promise<void> {
  await tx.insert(shopSettings).values({ id: ID, timeZone }).onConflictDoUpdate({ target: shopSettings.id, set: { timeZone } });
}

/** After how many minutes a sale at the till lapses when the operator has chosen nothing. */
const TILL_MINUTES = 10;

/** After how many minutes a sale at the till lapses. */
export async function tillMinutes(reader: Reader): Promise<number> {
  const [row] = await chosen(reader).execute();
  return row?.tillMinutes ?? TILL_MINUTES;
}

export async function setTillMinutes(tx: Tx, minutes: number): Promise<void> {
  const set = { tillMinutes: minutes };
  await tx
    .insert(shopSettings)
    .values({ id: ID, ...set })
    .onConflictDoUpdate({ target: shopSettings.id, set });
}
