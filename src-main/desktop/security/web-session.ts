import { join } from 'node:path';
import { app, BrowserWindow, dialog, session, shell, type WebContents } from 'electron';
import type { Logger } from '../../platform/logs/logger.ts';
import { APP_SCHEME, answerAppRequest, listAppFiles } from './app-scheme.ts';
import { answerDownload } from './downloads.ts';
import { externalUrl, isConsoleUrl, isCustomerScreen, mailUrl, mayHave } from './navigation.ts';
import { cutOff, forbidWebRtc } from './network.ts';
import { OutsideLinks } from './outside-links.ts';

/**
 * Serves the console's own scheme, refuses every permission that a page can ask for, such as camera or notifications,
 * but that of the whole screen, asks the person where to save the console's files, and cuts the windows off from the
 * network.
 */
export async function prepareSession(rendererDir: string, dataFolder: string): Promise<void> {
  const files = listAppFiles(rendererDir);
  const { defaultSession } = session;
  defaultSession.protocol.handle(APP_SCHEME, (request) => answerAppRequest(files, request, dataFolder));
  defaultSession.setPermissionRequestHandler((contents, permission, decide) => decide(mayHave(permission, contents.getURL())));
  defaultSession.setPermissionCheckHandler(() => false);
  defaultSession.on('will-download', (event, item) => answerDownload(event, item, (name) => join(app.getPath('downloads'), name)));
  await cutOff(defaultSession, !app.isPackaged);
}

/**
 * Keeps a window on the console's pages: it opens no other page, and no window but the customer's screen. Links to
 * https open in the system's browser, and drafts of mails in its mail program, after a question.
 * @param openCustomerScreen opens that screen, when the page that asks for it may.
 */
export function confine(contents: WebContents, log: Logger, openCustomerScreen: (from: WebContents, url: string) => void): void {
  forbidWebRtc(contents);
  const outsideLinks = new OutsideLinks({
    window: () => BrowserWindow.fromWebContents(contents) ?? undefined,
    ask: (window, question) => dialog.showMessageBox(window, question),
    open: (url) => shell.openExternal(url),
  });
  const follow = (url: string) => {
    outsideLinks.follow(url).catch((error: unknown) => log.warn({ err: error }, 'a link could not be opened'));
  };
  contents.on('will-frame-navigate', (event) => {
    if (event.isMainFrame && isConsoleUrl(event.url)) return;
    event.preventDefault();
    const mail = event.isMainFrame ? mailUrl(event.url) : undefined;
    if (mail !== undefined) follow(mail);
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    const outside = externalUrl(url);
    if (isCustomerScreen(url)) openCustomerScreen(contents, url);
    else if (outside === undefined) log.warn('a link to something else than an https page was not opened');
    else follow(outside);
    return { action: 'deny' };
  });
}

/** The files that the build makes for the window, seen from the built main script. */
export const builtPaths = (mainDir: string): { preload: string; renderer: string } => ({
  preload: join(mainDir, '../preload/index.cjs'),
  renderer: join(mainDir, '../renderer'),
});
