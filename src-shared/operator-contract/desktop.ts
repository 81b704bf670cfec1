import { managers } from '../people/roles.ts';
import { z } from '../zod.ts';
import { operatorErrors as texts } from './error-messages.ts';
import { does, reads } from './operation.ts';

/** A time of day on this computer, `00:00` to `23:59`. */
const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

/** The person's choices for the desktop app on this computer. They stay on this computer and are in no backup. */
export const DesktopSettings = z.object({
  /** Whether paydesk stays in the tray after its window is closed. Otherwise closing the window quits it. */
  closeToTray: z.boolean(),
  startAtLogin: z.boolean(),
  /** Whether notifications leave amounts out while the screen is locked, or always. */
  hideAmounts: z.enum(['when_locked', 'always']),
  /**
   * The desktop app shows no notification between these times of day. They may span midnight. Null means no quiet
   * hours.
   */
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
  /**
   * What encrypts the node's keys on the disk: a key in the system's keychain, or a passphrase that the person types at
   * each start.
   */
  keysKeptBy: z.enum(['keychain', 'passphrase']),
});
export type Desktop = z.infer<typeof Desktop>;

const notDesktop = { NOT_DESKTOP: { status: 404, message: texts.notDesktop } };

/** The operations of the desktop app. A headless node refuses them. */
export const desktop = {
  get: reads(managers, 'The settings of the desktop app. A headless node has none.')
    .route({ method: 'GET', path: '/desktop' })
    .errors(notDesktop)
    .output(Desktop),
  change: does(managers, 'settings', 'settings.changed', 'Changes the settings of the desktop app.')
    .route({ method: 'PUT', path: '/desktop/settings' })
    .input(DesktopSettings)
    .errors({
      ...notDesktop,
      NOT_KEPT: { status: 500, message: texts.settingsNotKept },
    })
    .output(Desktop),
};
