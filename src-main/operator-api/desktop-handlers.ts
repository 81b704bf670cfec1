import type { Desktop, DesktopSettings } from '../../src-shared/operator-contract/desktop.ts';
import { operations } from './handlers.ts';

/** The desktop app around the node, as its console sees it. */
export interface DesktopHost {
  read(): Desktop;
  /** @returns false when the settings could not be written; then the old ones count. */
  change(settings: DesktopSettings): boolean;
}

const os = operations.desktop;

export const desktopHandlers = os.router({
  get: os.get.handler(({ context, errors }) => {
    if (context.desktop === undefined) throw errors.NOT_DESKTOP();
    return context.desktop.read();
  }),
  change: os.change.handler(({ context, input, errors }) => {
    if (context.desktop === undefined) throw errors.NOT_DESKTOP();
    if (!context.desktop.change(input)) throw errors.NOT_KEPT();
    return context.desktop.read();
  }),
});
