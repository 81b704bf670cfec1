let told: string | undefined;

/**
 * Sets the time zone in which every text names times and days. The console sets that of the shop, which may not be that
 * of the reader's computer. Until then it is the computer's own.
 */
export function setTimeZone(timeZone: string): void {
  told = timeZone;
}

/** The IANA name of the time zone in which texts name times and days. */
export const timeZone = (): string => told ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A time zone as people read it: the place, such as Europe/Berlin or America/New York. */
export const zoneText = (name: string): string => name.replaceAll('_', ' ');
