import type { Desktop, DesktopSettings } from '../../src-shared/operator-contract/desktop.ts';

/** The desktop app around the node, as the console's operations use it. */
export interface DesktopHost {
  read(): Desktop;
  /** @returns false when the settings could not be written. The old settings then stay in effect. */
  change(settings: DesktopSettings): boolean;
}
