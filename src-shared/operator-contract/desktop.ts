import { managers } from '../people/roles.ts';
import { PAPER_NAMES } from '../receipts/papers.ts';
import { PAGE_LANGUAGES } from '../receipts/print-jobs.ts';
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

const PrinterOfComputer = z.object({
  /** The name by which the system knows it. No other printer of the computer has it. */
  device: z.string().min(1).max(400),
  /** The name that people read. */
  name: z.string(),
  /** Whether it is the one that was chosen on this computer. */
  isChosen: z.boolean(),
});
export type PrinterOfComputer = z.infer<typeof PrinterOfComputer>;

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
  printers: reads(managers, 'The printers of the computer on which the desktop app runs.')
    .route({ method: 'GET', path: '/desktop/printers' })
    .errors(notDesktop)
    .output(z.array(PrinterOfComputer)),
  /** It takes the place of the receipt printer that there was. What waits goes to it. */
  choosePrinter: does(managers, 'settings', 'printer.set', 'Makes a printer of this computer the receipt printer of the shop.')
    .route({ method: 'POST', path: '/desktop/printer' })
    .input(
      PrinterOfComputer.pick({ device: true }).extend({
        paper: z.enum(PAPER_NAMES),
        /** The language of what it prints. */
        language: z.enum(PAGE_LANGUAGES),
        /** Whether sales at the till print by themselves once they are paid. */
        printsSales: z.boolean(),
      }),
    )
    .errors({
      ...notDesktop,
      NO_SUCH_DEVICE: { status: 409, message: texts.noSuchDevice },
      NOT_KEPT: { status: 500, message: texts.settingsNotKept },
    })
    .output(z.object({ set: z.literal(true) })),
};
