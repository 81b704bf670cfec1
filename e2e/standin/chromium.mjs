import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cdp } from './cdp.mjs';

/** The one Chromium behind all windows. STANDIN_CHROMIUM names its file, and STANDIN_CHROMIUM_ARGS its arguments. */
export const cdp = new Cdp();

/** How long Chromium may take to exit after SIGTERM. */
const END_MS = 5_000;

let chromium;
let profile;
let stopping = false;

/** Starts Chromium without a window and prints where it listens, as Electron does and Playwright expects. */
export async function startChromium() {
  const executable = process.env.STANDIN_CHROMIUM;
  if (!executable) throw new Error('electron stand-in: STANDIN_CHROMIUM must name a Chromium');
  profile = mkdtempSync(join(tmpdir(), 'paydesk-standin-'));
  const args = (process.env.STANDIN_CHROMIUM_ARGS ?? '').split(' ').filter((arg) => arg !== '');
  chromium = spawn(
    executable,
    [
      ...args,
      '--headless',
      '--no-startup-window',
      '--disable-extensions',
      '--disable-dev-shm-usage',
      '--force-color-profile=srgb',
      '--password-store=basic',
      '--remote-debugging-port=0',
      '--remote-allow-origins=*',
      `--user-data-dir=${profile}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  process.on('exit', () => chromium.kill('SIGKILL'));
  const address = await listeningAddress();
  await cdp.open(address);
  // In Electron the app and Chromium are one process. Here an app whose Chromium is gone would run for ever, and nobody
  // could ask it to quit.
  const lost = (how) => {
    if (stopping) return;
    process.stderr.write(`electron stand-in: Chromium is gone (${how})\n`);
    process.exit(1);
  };
  chromium.on('exit', (code, signal) => lost(code ?? signal));
  cdp.onClose = () => lost('its connection has ended');
  await cdp.send('Target.setDiscoverTargets', { discover: true });
  process.stderr.write(`DevTools listening on ${address}\n`);
}

function listeningAddress() {
  const { promise, resolve, reject } = Promise.withResolvers();
  let printed = '';
  chromium.on('exit', (code) => reject(new Error(`Chromium ended with ${code}: ${printed}`)));
  chromium.stderr.setEncoding('utf8').on('data', (text) => {
    printed += text;
    const match = /DevTools listening on (ws:\S+)/.exec(printed);
    if (match !== null) resolve(match[1]);
  });
  return promise;
}

/** Ends Chromium and removes its profile. */
export async function stopChromium() {
  stopping = true;
  if (chromium !== undefined && chromium.exitCode === null && chromium.signalCode === null) {
    const { promise, resolve } = Promise.withResolvers();
    chromium.on('exit', resolve);
    chromium.kill('SIGTERM');
    const tooLong = setTimeout(() => chromium.kill('SIGKILL'), END_MS);
    await promise;
    clearTimeout(tooLong);
  }
  // The temporary folder is removed later, with what Chromium's other processes still write.
  try {
    if (profile !== undefined) rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    process.stderr.write(`electron stand-in: ${profile} is left behind (${error.code})\n`);
  }
}
