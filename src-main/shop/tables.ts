import type { LogoDots } from '../../src-shared/shop/logo-dots.ts';
import type { ShopProfile } from '../../src-shared/shop/shop-profile.ts';
import type { DatevSettings } from '../../src-shared/statements/datev-settings.ts';
import { int53, json, table, text } from '../platform/database/schema.ts';
import type { LogoType } from './logo-type.ts';

/** What the operator has set about the shop. There is at most one row. */
export const shopSettings = table('shop_settings', {
  /** It is always `shop`. */
  id: text('id').primaryKey(),
  /** The IANA name of the time zone in which the shop counts its days. Null means that of the node's computer. */
  timeZone: text('time_zone'),
  /** A sale at the till lapses after this many minutes. Null means ten. */
  tillMinutes: int53('till_minutes'),
  /** The percentages that are offered to customers as a tip, such as 5, 10 and 15. Null offers no tip. */
  tipPercents: json<readonly number[]>('tip_percents'),
  /** What the shop says of itself. A member that a later version has added is missing in it; see shop.ts. */
  profile: json<Partial<ShopProfile>>('profile'),
  /** What was typed for the last export to DATEV; see src-main/statements. It is null before the first one. */
  datev: json<DatevSettings>('datev'),
});

/** The shop's logo. There is at most one row. */
export const shopLogo = table('shop_logo', {
  /** It is always `logo`. */
  id: text('id').primaryKey(),
  /** The SHA-256 of the picture, base64url. */
  hash: text('hash').notNull(),
  type: text('type').$type<LogoType>().notNull(),
  /** The bytes of the picture, base64. */
  data: text('data').notNull(),
  /** The same picture for receipt printers in the network. Null prints none there. */
  dots: json<LogoDots>('dots'),
});
