import type { BrowserWindowConstructorOptions, WebPreferences } from 'electron';
import { dialogs } from '../../../src-shared/words/desktop/dialogs.ts';

/**
 * How the console's window is made: isolated, sandboxed, without Node in any of its frames or workers.
 * @param preload absolute path of the built preload script
 * @param developerTools only while developing
 */
export function windowOptions(preload: string, developerTools: boolean): BrowserWindowConstructorOptions {
  return {
    title: dialogs.title,
    width: 1180,
    height: 800,
    minWidth: 480,
    minHeight: 480,
    // The window is shown when its page is painted, so that it does not flash.
    show: false,
    webPreferences: { preload, ...confined(developerTools) },
  };
}

/** How the customer's screen is made: its page has no preload script, and so no way to the node. */
export const customerOptions = (): BrowserWindowConstructorOptions => ({
  title: dialogs.title,
  show: false,
  webPreferences: confined(false),
});

/** How a page that is printed is made: nobody sees its window, and nothing leads from it to paydesk. */
export const printOptions = (): BrowserWindowConstructorOptions => ({ show: false, webPreferences: confined(false) });

const confined = (developerTools: boolean): WebPreferences => ({
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  spellcheck: false,
  devTools: developerTools,
});
