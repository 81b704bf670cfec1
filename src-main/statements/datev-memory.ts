import { DatevSettings } from '../../src-shared/statements/datev-settings.ts';
import type { Reader, Tx } from '../platform/database/database.ts';
import { changeShop } from '../shop/shop.ts';
import { shopSettings } from '../shop/tables.ts';

/** What was typed for the last export to DATEV. It is undefined before the first one. */
export async function lastDatev(reader: Reader): Promise<DatevSettings | undefined> {
  const [row] = await reader.select({ datev: shopSettings.datev }).from(shopSettings);
  return DatevSettings.safeParse(row?.datev).data;
}

/** Remembers what was typed, within the write that records the export. */
export const rememberDatev = (tx: Tx, datev: DatevSettings): Promise<void> => changeShop(tx, { datev });
