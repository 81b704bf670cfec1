import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import { root } from '../../../scripts/project.mjs';
import type { Operator } from '../../support/nodes/running-node.ts';
import { openPagePort } from './page-port.ts';

/** The desktop app with a profile of its own, in the stand-in or in the real Electron. */
export interface DesktopApp {
  readonly electron: ElectronApplication;
  readonly page: Page;
  readonly profile: string;
  /** What it has printed on standard error. */
  readonly log: readonly string[];
  readonly operator: Operator;
  /**
   * Quits as an operator does, and removes the profile.
   * @throws when the app did not stop cleanly.
   */
  quit(): Promise<void>;
}

/** The browser on which the stand-in runs. */
export interface Browser {
  executablePath: string;
  args: string[];
}

/** The wait for a clean end, in milliseconds. On a quiet machine it takes at most 5 seconds. */
const QUIT_MS = 60_000;
/** How long the window may take to appear on a busy machine. */
const START_MS = 120_000;

interface Start {
  /** The profile of an earlier start. Without one the app gets a new profile, which is removed when the app quits. */
  profile?: string;
  /** How the stand-in's system around the app is configured. */
  env?: Record<string, string>;
  /** Arguments for the app itself, such as a link to open. */
  args?: readonly string[];
}

/**
 * Starts the built desktop app and waits for its window.
 * @param standIn is the browser for the stand-in; undefined for the real Electron.
 * @param flags are flags for the node.
 */
export async function startDesktopApp(
  standIn: Browser | undefined,
  flags: readonly string[] = [],
  { profile: given, env = {}, args = [] }: Start = {},
): Promise<DesktopApp> {
  const profile = given ?? mkdtempSync(join(tmpdir(), 'paydesk-e2e-'));
  const electron = await _electron.launch({
    args: [...appArguments(profile, args), '--', '--listen', '127.0.0.1:0', '--development', ...flags],
    cwd: root,
    locale: 'en-GB',
    timezoneId: 'UTC',
    timeout: START_MS,
    // A test machine has no keychain, and the app must not ask a person there.
    ...(standIn === undefined ? { env: inherited({ PAYDESK_SECRETS_PASSPHRASE: 'for tests only' }) } : standInOptions(standIn, env)),
  });
  const log: string[] = [];
  electron.process().stderr?.on('data', (text) => log.push(String(text)));
  const exited = once(electron.process(), 'exit');
  const page = await electron.firstWindow({ timeout: START_MS }).catch((error: unknown) => {
    throw new Error(`The desktop app shows no window: ${log.join('')}`, { cause: error });
  });
  // The first address of a window is an empty page. Everything that a test does there would be lost.
  await page.getByRole('main').waitFor();
  return {
    electron,
    page,
    profile,
    log,
    operator: createORPCClient(new RPCLink({ port: await openPagePort(page) })),
    quit: async () => {
      // An app that does not exit fails its own test, with what it printed, and does not delay the other tests.
      const tooLong = setTimeout(() => electron.process().kill('SIGKILL'), QUIT_MS);
      // Playwright's own `close` hides that the app could not be asked, and does not ask once it believes that the
      // browser is gone.
      const asked = electron.evaluate(({ app }) => app.quit()).catch((error: unknown) => error);
      const [code] = await exited;
      clearTimeout(tooLong);
      await electron.close();
      if (given === undefined) rmSync(profile, { recursive: true });
      if (code !== 0) throw new Error(`The desktop app ended with ${code}: ${log.join('')}`, { cause: await asked });
    },
  };
}

/** Starts the desktop app in the stand-in as at a login: with its node and its tray icon, and without a window. */
export const startHidden = (standIn: Browser, profile: string): Promise<ElectronApplication> =>
  _electron.launch({
    args: [...appArguments(profile, ['--hidden']), '--', '--listen', '127.0.0.1:0', '--development'],
    cwd: root,
    timeout: START_MS,
    ...standInOptions(standIn),
  });

/** The arguments of Electron for a profile, before the flags for the node. */
export const appArguments = (profile: string, args: readonly string[] = []): string[] => [root, `--user-data-dir=${profile}`, ...args];

/**
 * How the stand-in starts on this browser.
 * @param system configures the system around it.
 */
export function standInOptions({ executablePath, args }: Browser, system: Record<string, string> = {}) {
  return {
    executablePath: join(root, 'e2e/standin/electron'),
    env: inherited({
      STANDIN_NODE: process.execPath,
      STANDIN_CHROMIUM: executablePath,
      STANDIN_CHROMIUM_ARGS: args.join(' '),
      ...system,
    }),
  };
}

/** The environment of the tests, with these changes. */
function inherited(changes: Record<string, string>): Record<string, string> {
  const own = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...Object.fromEntries(own), ...changes };
}
