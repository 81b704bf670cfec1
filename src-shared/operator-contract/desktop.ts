import { z } from 'zod';
import { does, reads } from './operation.ts';

/** A time of day on this computer, `00:00` to `23:59`. */
export const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

/** What the person at this computer wants of the desktop app. It stays on this computer and is in no backup. */
export const DesktopSettings = z.object({
  /** Closing the window keeps paydesk running beside the clock; otherwise it quits. */
  closeToTray: z.boolean(),
  startAtLogin: z.boolean(),
  /** Notifications name no amount: only while the screen is locked, or always. */
  hideAmounts: z.enum(['when_locked', 'always']),
  /** No notification between these times of day; it may go over midnight. Null for none. */
  quietHours: z
    .object({ from: TimeOfDay, until: TimeOfDay })
    .refine(({ from, until }) => from !== until, 'Quiet hours must end at another time than they begin.')
    .nullable(),
});
export type DesktopSettings = z.infer<typeof DesktopSettings>;

export const Desktop = z.object({
  settings: DesktopSettings,
  /** Whether this system can start paydesk when the person logs in. */
  startsAtLogin: z.boolean(),
  /** What the node's keys on the disk are encrypted with: a key in the keychain of the system, or a passphrase typed at each start. */
  keysKeptBy: z.enum(['keychain', 'passphrase']),
});
export type Desktop = z.infer<typeof Desktop>;

const notDesktop = { NOT_DESKTOP: { status: 404, message: 'Only the desktop app has these settings.' } };

/** Offered by the desktop app only; a headless node refuses. */
export const desktop = {
  get: reads.route({ method: 'GET', path: '/desktop' }).errors(notDesktop).output(Desktop),
  change: does('settings', 'settings.changed')
    .route({ method: 'PUT', path: '/desktop/settings' })
    .input(DesktopSettings)
    .errors({
      ...notDesktop,
      NOT_KEPT: { status: 500, message: 'The settings could not be written. Is there room on the disk?' },
    })
    .output(Desktop),
};
