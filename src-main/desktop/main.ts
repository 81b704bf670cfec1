import { join } from 'node:path';
import { app, BrowserWindow, dialog, Menu, protocol } from 'electron';
import { dialogs } from '../../src-shared/words/desktop/dialogs.ts';
import { problems } from '../../src-shared/words/desktop/problems.ts';
import { sharedDatabaseProblems } from '../../src-shared/words/terminal/shared-database.ts';
import type { DesktopHost } from '../operator-api/desktop-host.ts';
import { NotStored } from '../platform/database/database.ts';
import { ReportedError } from '../platform/errors.ts';
import { createLogger, type Logger } from '../platform/logs/logger.ts';
import type { SecretsProtection } from '../platform/secrets/secrets-protection.ts';
import { type Config, readCommandLine } from '../platform/settings/config.ts';
import { messageLanguage, speakIn } from '../platform/settings/message-language.ts';
import { startWalletNode, type WalletNode } from '../wallet-node.ts';
import { desktopProtection } from './keys/protection.ts';
import { ChosenPrinter } from './printing/chosen-printer.ts';
import { SilentPrinter } from './printing/silent-printer.ts';
import { APP_SCHEME } from './security/app-scheme.ts';
import { forbidNames } from './security/network.ts';
import { builtPaths, confine, prepareSession } from './security/web-session.ts';
import { Shell } from './shell.ts';
import { APP_ID } from './system/app-id.ts';
import { SettingsFile } from './system/desktop-settings.ts';
import { loginItemHere, startAtLogin, startsHidden } from './system/login.ts';
import { HIDDEN } from './system/login-item.ts';
import { startUtility } from './system/utility-process.ts';
import { LINK_SCHEME, screenIn, screenOf } from './window/deep-link.ts';

const paths = builtPaths(import.meta.dirname);

/** The screen that the operator wants to see. The shell gets it as soon as there is one. */
let wanted: { screen: string | undefined } | undefined;
let shell: Shell | undefined;

/** What follows `--` is for paydesk, everything before it for Electron and Chromium. */
function typedFlags(): string[] {
  const separator = process.argv.indexOf('--');
  return separator < 0 ? [] : process.argv.slice(separator + 1);
}

function readConfig(flags: readonly string[]): Config {
  const commandLine = readCommandLine([`--data-dir=${join(app.getPath('userData'), 'node')}`, ...flags]);
  if (commandLine.command !== 'run') throw new ReportedError(problems.noSuchCommand);
  if (commandLine.config.database !== undefined) throw new ReportedError(sharedDatabaseProblems.noDesktop);
  return { ...commandLine.config, host: 'desktop' as const, console: undefined };
}

async function start(): Promise<void> {
  // Only their owner may read the database and the other files that the node writes.
  process.umask(0o077);
  await app.whenReady();
  const flags = typedFlags();
  await speakIn(messageLanguage(flags, app.getPreferredSystemLanguages()));
  const config = readConfig(flags);
  const log = createLogger(config.logLevel);
  // The node goes on without a window.
  app.on('window-all-closed', () => undefined);
  app.on('web-contents-created', (_event, contents) => confine(contents, log, (from, url) => shell?.openCustomerScreen(from, url)));
  if (process.platform !== 'darwin') Menu.setApplicationMenu(null);
  if (process.platform === 'win32') app.setAppUserModelId(APP_ID);
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME);
  await prepareSession(paths.renderer, config.dataDir);
  const profile = app.getPath('userData');
  const protection = await desktopProtection(config, profile, paths.preload);
  if (protection === undefined) return app.exit(0);
  const settings = new SettingsFile(profile);
  const printers = new SilentPrinter({ chosen: new ChosenPrinter(profile), log });
  const desktop: DesktopHost = { ...desktopSettings(settings, protection, log), printers };
  const host = { rendererDir: paths.renderer, protection, desktop, startChild: startUtility };
  let node: WalletNode | undefined = await startWalletNode(config, log, host);
  shell = new Shell({ node, log, settings, profile, preload: paths.preload });
  await shell.start();
  if (wanted !== undefined) open(wanted.screen);
  while (node !== undefined) {
    const reason: Error | Config = await Promise.race([node.failed, node.restart]);
    if (reason instanceof Error) return fail(reason);
    node = await shell.replaceNode(() => startWalletNode(reason, log, host));
  }
}

/** Gives the console the settings of the desktop app. */
function desktopSettings(file: SettingsFile, protection: SecretsProtection, log: Logger): Pick<DesktopHost, 'read' | 'change'> {
  const item = loginItemHere();
  return {
    read: () => ({ settings: file.settings, startsAtLogin: item.kind !== 'none', keysKeptBy: protection.kind }),
    change: (settings) => {
      try {
        if (settings.startAtLogin !== file.settings.startAtLogin) startAtLogin(item, settings.startAtLogin);
      } catch (error) {
        log.warn({ err: error }, 'the system did not take up the start at login');
        return false;
      }
      const before = file.settings;
      if (file.change(settings)) return true;
      // A setting that was not written must not take effect at the next login either.
      if (settings.startAtLogin !== before.startAtLogin) startAtLogin(item, before.startAtLogin);
      return false;
    },
  };
}

/** Shows the console, now or as soon as the node runs. */
function open(screen: string | undefined): void {
  wanted = { screen };
  if (shell !== undefined) shell.open(screen);
  // The app may be asking for the passphrase of the keys, behind other windows.
  else for (const window of BrowserWindow.getAllWindows()) window.show();
}

function fail(error: unknown): void {
  const expected = error instanceof ReportedError || error instanceof NotStored;
  if (!expected) createLogger('error').error({ err: error }, 'the desktop app stopped');
  const words = expected ? error.message : dialogs.cannotGoOn.unexpected;
  dialog.showErrorBox(dialogs.cannotGoOn.title, words);
  app.exit(1);
}

/**
 * Brings the running app to the front when somebody starts paydesk once more. It shows the screen that was asked for.
 */
function answerOtherStarts(): void {
  // Any program of this user may have sent these arguments, so they are checked again.
  app.on('second-instance', (_event, argv) => {
    // When the system starts the app at a login, it asks for no window.
    if (!argv.includes(HIDDEN)) open(screenIn(argv));
  });
  app.on('open-url', (event, url) => {
    event.preventDefault();
    open(screenOf(url));
  });
}

protocol.registerSchemesAsPrivileged([{ scheme: APP_SCHEME, privileges: { standard: true, secure: true } }]);
app.enableSandbox();
forbidNames(app);
if (app.requestSingleInstanceLock()) {
  answerOtherStarts();
  if (!startsHidden(process.argv)) wanted = { screen: screenIn(process.argv) };
  start().catch(fail);
} else app.quit();
