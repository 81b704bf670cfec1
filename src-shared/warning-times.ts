/** 24 hours, in milliseconds. */
export const DAY_MS = 24 * 60 * 60_000;

/** An older backup counts as old, in milliseconds. It does not help much. */
export const OLD_BACKUP_MS = 7 * DAY_MS;

/** A certificate that ends within this time gives a warning, in milliseconds. Two weeks are enough to renew it. */
export const CERTIFICATE_ENDS_SOON_MS = 14 * DAY_MS;
