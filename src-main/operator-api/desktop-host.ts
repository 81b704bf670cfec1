import type { Desktop, DesktopSettings } from '../../src-shared/operator-contract/desktop.ts';

/** The desktop app around the node, as its console sees it. */
export interface DesktopHost {
  read(): Desktop;
  /** @returns false when the settings could not be written; then the old ones count. */
  change(settings: DesktopSettings): boolean;
}
