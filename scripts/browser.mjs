// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright';
import { commandOf, run, runNode } from './project.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const PLAYWRIGHT = commandOf('playwright');
const FIVE_MINUTES = 300_000;

// Chromium's own sandbox refuses to run as root. Other users keep the sandbox.
const isRoot = process.getuid?.() === 0;
/**
 * Features of Chromium that the tests do without. Playwright has such a list, too. Of two lists Chromium obeys the last
 * one only, so this one repeats what Playwright's says about pages.
 */
const WITHOUT_FEATURES = [
  // For every window Chromium loads pages of its own, out of sight, which belong to its address bar. They cost as much
  // processor time as the console itself.
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'PreloadTopChromeWebUI'],
  // A process that waits for a next page. Most tests open one page.
  'SpareRendererForSitePerProcess',
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable'],
  ...['LensOverlay', 'MediaRouter', 'PaintHolding', 'ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect'],
  ...['TcpPortRandomizationWin', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
];
const ARGUMENTS = [
  ...(isRoot ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${WITHOUT_FEATURES.join(',')}`,
];

/** Whether the program exists and finds all its libraries. @param {string} executable */
const starts = (executable) => existsSync(executable) && spawnSync(executable, ['--version'], { timeout: 30_000 }).status === 0;

/** The path of Playwright's own Chromium. The list is empty on a platform that Playwright does not support. */
function playwrightsOwn() {
  try {
    return [chromium.executablePath()];
  } catch {
    return [];
  }
}

/** Paths at which this machine may have a Chromium. The path that the environment names comes first. */
function candidates() {
  const asked = process.env.PAYDESK_CHROMIUM;
  return [...(asked ? [asked] : []), ...playwrightsOwn(), ...candidatesNamed(NAMES)];
}

/** Paths at which the programs would be. @param {readonly string[]} names */
const candidatesNamed = (names) => (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));

/**
 * Finds Chromium's headless shell on this machine. It has no window, no address bar and no profile, so a test of a page
 * takes a tenth less processor time in it. The stand-in for Electron needs the whole browser, because it has windows.
 */
export const findHeadlessShell = () => candidatesNamed(['chromium-headless-shell']).find(starts);

/**
 * Finds the Chromium on this machine and the arguments for its start. The result is undefined when there is none.
 * @returns {{ executablePath: string, args: string[] } | undefined}
 */
export function findBrowser() {
  const executablePath = candidates().find(starts);
  return executablePath === undefined ? undefined : { executablePath, args: ARGUMENTS };
}

const UNATTENDED = { DEBIAN_FRONTEND: 'noninteractive' };
/** @param {string[]} packages */
const aptInstall = (...packages) => run('apt-get', ['install', '-y', ...packages, 'fonts-liberation'], { quiet: true, env: UNATTENDED });

/**
 * Ways to get a Chromium. The way that changes the machine least comes first.
 * @type {{ words: string, possible: () => boolean, get: () => Promise<unknown> }[]}
 */
const SOURCES = [
  {
    words: "Fetching Playwright's Chromium …",
    possible: () => true,
    get: () =>
      runNode(PLAYWRIGHT, ['install', 'chromium'], {
        quiet: true,
        timeoutMs: FIVE_MINUTES,
        env: { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '15000' },
      }),
  },
  {
    words: 'Installing the distribution’s Chromium …',
    possible: () => isRoot && existsSync('/etc/debian_version'),
    get: async () => {
      await run('apt-get', ['update'], { quiet: true, env: UNATTENDED });
      await aptInstall('chromium', 'chromium-headless-shell');
    },
  },
  {
    words: 'Installing it without its headless shell …',
    possible: () => isRoot && existsSync('/etc/debian_version'),
    get: () => aptInstall('chromium'),
  },
];

/** Finds a Chromium or gets one. When neither works, it ends the process and prints the command that gets one. */
export async function ensureBrowser() {
  const installed = findBrowser();
  if (installed !== undefined) return installed;
  for (const { words, possible, get } of SOURCES) {
    if (!possible()) continue;
    console.log(words);
    await get();
    const browser = findBrowser();
    if (browser !== undefined) return browser;
  }
  const command = existsSync('/etc/debian_version')
    ? `${isRoot ? '' : 'sudo '}apt-get install -y chromium`
    : 'npx playwright install --with-deps chromium';
  console.error(`The tests need a Chromium and could not get one. Type this, then run them again: ${command}`);
  process.exit(1);
}
