// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright';
import { commandOf, run, runNode } from './project.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const PLAYWRIGHT = commandOf('playwright');
const FIVE_MINUTES = 300_000;

// Chromium's own sandbox refuses to run as root; everyone else keeps it.
const isRoot = process.getuid?.() === 0;
const ARGUMENTS = [
  ...(isRoot ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Whether the program is there and finds all its libraries. @param {string} executable */
const starts = (executable) => existsSync(executable) && spawnSync(executable, ['--version'], { timeout: 30_000 }).status === 0;

/** Where Playwright puts its own Chromium. The list is empty on a platform that Playwright does not support. */
function playwrightsOwn() {
  try {
    return [chromium.executablePath()];
  } catch {
    return [];
  }
}

/** Chromiums that may be on this machine. The one that the environment names comes first. */
function candidates() {
  const asked = process.env.PAYDESK_CHROMIUM;
  const folders = (process.env.PATH ?? '').split(delimiter);
  return [...(asked ? [asked] : []), ...playwrightsOwn(), ...folders.flatMap((folder) => NAMES.map((name) => join(folder, name)))];
}

/**
 * The Chromium on this machine and the arguments it is started with; undefined when there is none.
 * @returns {{ executablePath: string, args: string[] } | undefined}
 */
export function findBrowser() {
  const executablePath = candidates().find(starts);
  return executablePath === undefined ? undefined : { executablePath, args: ARGUMENTS };
}

/** Ways to get one, mildest first. @type {{ words: string, possible: () => boolean, get: () => Promise<unknown> }[]} */
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
      const env = { DEBIAN_FRONTEND: 'noninteractive' };
      await run('apt-get', ['update'], { quiet: true, env });
      await run('apt-get', ['install', '-y', 'chromium', 'fonts-liberation'], { quiet: true, env });
    },
  },
];

/** Finds a Chromium or gets one; ends the process with the one command to type when neither works. */
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
