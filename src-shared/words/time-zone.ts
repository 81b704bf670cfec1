import type { ShopDays } from '../calendar.ts';

let told: ShopDays | undefined;

/**
 * Sets the time zone in which every text names times, and when its days end. The console sets what the shop has chosen,
 * which may not be the zone of the reader's computer. Until then it is the computer's own, with days that end at
 * midnight.
 */
export function setShopDays(days: ShopDays): void {
  told = days;
}

/** How the texts count days. */
export const shopDays = (): ShopDays => told ?? { timeZone: timeZone(), dayEndsAt: 0 };

/** The IANA name of the time zone in which texts name times. */
export const timeZone = (): string => told?.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A time zone as people read it: the place, such as Europe/Berlin or America/New York. */
export const zoneText = (name: string): string => name.replaceAll('_', ' ');
