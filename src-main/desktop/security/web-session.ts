import { join } from 'node:path';
import { app, session, shell, type WebContents } from 'electron';
import type { Logger } from '../../platform/logs/logger.ts';
import { APP_SCHEME, answerAppRequest, listAppFiles } from './app-scheme.ts';
import { answerDownload } from './downloads.ts';
import { externalUrl, isConsoleUrl } from './navigation.ts';

/**
 * Serves the console's own scheme, refuses every permission that a page can ask for, such as camera or notifications,
 * and asks the person where to save the console's files.
 */
export function prepareSession(rendererDir: string): void {
  const files = listAppFiles(rendererDir);
  const { defaultSession } = session;
  defaultSession.protocol.handle(APP_SCHEME, (request) => answerAppRequest(files, request));
  defaultSession.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
  defaultSession.setPermissionCheckHandler(() => false);
  defaultSession.on('will-download', (event, item) => answerDownload(event, item, (name) => join(app.getPath('downloads'), name)));
}

/**
 * Keeps a window on the console's pages: it opens no other page and no second window. Links to https open in the
 * system's browser.
 */
export function confine(contents: WebContents, log: Logger): void {
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame || !isConsoleUrl(event.url)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    const outside = externalUrl(url);
    if (outside === undefined) log.warn('a link to something else than an https page was not opened');
    else shell.openExternal(outside).catch((error: unknown) => log.warn({ err: error }, 'the system could not open a link'));
    return { action: 'deny' };
  });
}

/** Where the build puts what the window needs, seen from the built main script. */
export const builtPaths = (mainDir: string): { preload: string; renderer: string } => ({
  preload: join(mainDir, '../preload/index.cjs'),
  renderer: join(mainDir, '../renderer'),
});
