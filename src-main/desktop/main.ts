import { join } from 'node:path';
import { app, type BrowserWindow, dialog, ipcMain, Menu, protocol } from 'electron';
import { readCommandLine } from '../platform/config.ts';
import { StartupError } from '../platform/errors.ts';
import { createLogger, type Logger } from '../platform/logger.ts';
import { startWalletNode, type WalletNode } from '../wallet-node.ts';
import { APP_SCHEME } from './app-scheme.ts';
import { CONNECT } from './channels.ts';
import { builtPaths, confine, openConsole, prepareSession } from './console-window.ts';
import { isConsoleFrame } from './navigation.ts';

/** How long quitting waits for the node to stop by itself. */
const CLOSE_WITHIN_MS = 5_000;

const paths = builtPaths(import.meta.dirname);

function readConfig() {
  // What follows `--` is for paydesk, everything before it for Electron and Chromium.
  const separator = process.argv.indexOf('--');
  const flags = separator < 0 ? [] : process.argv.slice(separator + 1);
  const commandLine = readCommandLine([`--data-dir=${join(app.getPath('userData'), 'node')}`, ...flags]);
  if (commandLine.command !== 'run') throw new StartupError('The desktop app has no such command. Use npm run headless.');
  return { ...commandLine.config, host: 'desktop' as const, console: undefined };
}

async function start(): Promise<void> {
  // The database and whatever else the node writes is its owner's alone.
  process.umask(0o077);
  await app.whenReady();
  const config = readConfig();
  const log = createLogger(config.logLevel);
  app.on('web-contents-created', (_event, contents) => confine(contents, log));
  if (process.platform !== 'darwin') Menu.setApplicationMenu(null);
  prepareSession(paths.renderer);
  const node = await startWalletNode(config, log, { rendererDir: paths.renderer });
  closeBeforeQuitting(node, log);
  serveConsole(node, log);
  const window = await openConsole(paths.preload);
  app.on('second-instance', () => bringToFront(window));
  const failure = await node.failed;
  fail(failure);
}

/** Connects the console's page, and nothing else, with the operator contract. */
function serveConsole(node: WalletNode, log: Logger): void {
  ipcMain.on(CONNECT, (event) => {
    const [port] = event.ports;
    if (port === undefined) return;
    if (!isConsoleFrame(event.senderFrame)) {
      log.warn('a frame that is not the console asked for the operator contract');
      port.close();
      return;
    }
    node.operator.servePort(port);
    port.start();
  });
}

function closeBeforeQuitting(node: WalletNode, log: Logger): void {
  app.on('window-all-closed', () => app.quit());
  app.on('will-quit', (event) => {
    event.preventDefault();
    const tooLong = setTimeout(() => {
      log.error('the node did not stop in time; what was under way is carried on at the next start');
      app.exit(1);
    }, CLOSE_WITHIN_MS);
    node
      .close()
      .then(() => app.exit(0))
      .catch((error: unknown) => {
        log.error({ err: error }, 'the node did not stop cleanly');
        app.exit(1);
      })
      .finally(() => clearTimeout(tooLong));
  });
}

function bringToFront(window: BrowserWindow): void {
  if (window.isDestroyed()) return;
  if (window.isMinimized()) window.restore();
  window.focus();
}

function fail(error: unknown): void {
  const expected = error instanceof StartupError;
  if (!expected) createLogger('error').error({ err: error }, 'the desktop app stopped');
  const words = expected ? error.message : 'paydesk met an error it did not expect. It is written on standard error.';
  dialog.showErrorBox('paydesk cannot go on', words);
  app.exit(1);
}

protocol.registerSchemesAsPrivileged([{ scheme: APP_SCHEME, privileges: { standard: true, secure: true } }]);
app.enableSandbox();
if (app.requestSingleInstanceLock()) start().catch(fail);
else app.quit();
