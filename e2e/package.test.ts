import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import asar from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { _electron } from 'playwright';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ensureBrowser } from '../scripts/browser.mjs';
import { commandOf, root } from '../scripts/project.mjs';
import { standInOptions } from './hosts/desktop-app.ts';
import { makeFakeRuntime } from './packaging/fake-runtime.ts';
import { WelcomePage } from './pages/welcome-page.ts';

// The package for Linux around a runtime that is none: what is in it, how its fuses stand, and that nothing it needs is missing. What only the real
// runtime can show is in docs/packaging.md.

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

/** As the runtime reads them: the characters 0 and 1. */
const FUSE_STATES = new Map([
  [0x30, 'DISABLE'],
  [0x31, 'ENABLE'],
]);

let folder: string;
let unpacked: string;
let archive: string;
let files: string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-package-'));
  const runtime = join(folder, 'runtime');
  makeFakeRuntime(runtime);
  const config = [`-c.electronDist=${runtime}`, `-c.directories.output=${join(folder, 'dist')}`];
  await promisify(execFile)(
    process.execPath,
    [commandOf('electron-builder'), '--linux', '--x64', '--dir', '--publish', 'never', ...config],
    {
      cwd: root,
      // Nothing is to be fetched: an attempt fails at once instead of passing on a machine that can.
      env: { ...process.env, ELECTRON_MIRROR: 'http://127.0.0.1:9/', ELECTRON_BUILDER_BINARIES_MIRROR: 'http://127.0.0.1:9/' },
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  unpacked = join(folder, 'dist/linux-unpacked');
  archive = join(unpacked, 'resources/app.asar');
  files = asar.listPackage(archive, { isPack: false }).map((path) => path.replaceAll('\\', '/').replace(/^\//, ''));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('has its seven fuses set', async () => {
  const {
    version: _,
    resetAdHocDarwinSignature: __,
    strictlyRequireAllFuses: ___,
    ...wire
  } = await getCurrentFuseWire(join(unpacked, 'paydesk'));
  const stateOf = (fuse: FuseV1Options) => FUSE_STATES.get(Number(Reflect.get(wire, fuse)));
  expect({
    runAsNode: stateOf(FuseV1Options.RunAsNode),
    cookieEncryption: stateOf(FuseV1Options.EnableCookieEncryption),
    nodeOptions: stateOf(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
    nodeCliInspect: stateOf(FuseV1Options.EnableNodeCliInspectArguments),
    asarIntegrity: stateOf(FuseV1Options.EnableEmbeddedAsarIntegrityValidation),
    onlyFromAsar: stateOf(FuseV1Options.OnlyLoadAppFromAsar),
    filePrivileges: stateOf(FuseV1Options.GrantFileProtocolExtraPrivileges),
  }).toEqual({
    runAsNode: 'DISABLE',
    cookieEncryption: 'ENABLE',
    nodeOptions: 'DISABLE',
    nodeCliInspect: 'DISABLE',
    asarIntegrity: 'ENABLE',
    onlyFromAsar: 'ENABLE',
    filePrivileges: 'DISABLE',
  });
});

it('holds what runs, and nothing else', () => {
  const own = files.filter((path) => !path.startsWith('node_modules'));
  expect(new Set(own.map((path) => path.split('/')[0]))).toEqual(new Set(['out', 'drizzle', 'package.json']));
  for (const needed of [
    'out/main/desktop.js',
    'out/main/backup-worker.js',
    'out/preload/index.cjs',
    'out/renderer/index.html',
    'drizzle/0000_init.sql',
  ])
    expect(files).toContain(needed);
  expect(files.filter((path) => /\.(map|ts|tsx|mts|cts|test\.js|spec\.js)$/.test(path))).toEqual([]);
  expect(files.filter((path) => /(^|\/)(src-main|src-renderer|e2e|bench|test|tests|__tests__|docs)(\/|$)/.test(path))).toEqual([]);
  expect(files).not.toContain('out/main/headless.js');
  expect(readdirSync(join(unpacked, 'resources')).sort()).toEqual(['app.asar', 'app.asar.unpacked']);
});

it('holds the packages that run, without those for building and testing', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const has = (name: string) => files.includes(`node_modules/${name}/package.json`);
  // Bundled into out/main.
  expect(Object.keys(dependencies).filter((name) => !has(name))).toEqual(['drizzle-orm']);
  // One that runs needs these two itself.
  const both = ['ajv', 'ajv-formats', 'ilp-protocol-ildcp'];
  expect(Object.keys(devDependencies).filter((name) => has(name) && !both.includes(name))).toEqual([]);
});

it('holds one build of the database, outside the archive, and every integrity hash', () => {
  const natives = files.filter((path) => path.endsWith('.node'));
  expect(natives).toEqual(['node_modules/better-sqlite3/prebuilds/linux-x64.node']);
  for (const path of natives) expect(existsSync(join(`${archive}.unpacked`, path))).toBe(true);
  expect(files.filter((path) => /^node_modules\/better-sqlite3\/(deps|src)\//.test(path))).toEqual([]);
  const withoutHash = files.filter((path) => {
    const entry = asar.statFile(archive, path);
    return 'size' in entry && !('integrity' in entry && /^[0-9a-f]{64}$/.test(entry.integrity.hash));
  });
  expect(withoutHash).toEqual([]);
});

it('runs from the archive alone, with the database and the thread for backups', async () => {
  const app = join(folder, 'app');
  asar.extractAll(archive, app);
  const { executablePath, env } = standInOptions(await ensureBrowser());
  const profile = join(folder, 'profile');
  const electron = await _electron.launch({
    args: [app, `--user-data-dir=${profile}`, '--', '--listen', '127.0.0.1:0', '--development'],
    cwd: folder,
    executablePath,
    env,
  });
  const exited = once(electron.process(), 'exit');
  await new WelcomePage(await electron.firstWindow()).heading.waitFor();
  await electron.close();
  expect((await exited)[0]).toBe(0);
  expect(existsSync(join(profile, 'node/paydesk.db'))).toBe(true);

  // The thread alone, on a task it can only refuse: what it imports is there.
  const task = { kind: 'open', file: join(app, 'package.json'), passphrase: 'four plain words', databaseFile: join(folder, 'restored.db') };
  const thread = new Worker(join(app, 'out/main/backup-worker.js'), { workerData: task, execArgv: [] });
  expect(await once(thread, 'message')).toEqual([{ ok: false, error: 'no_backup' }]);
});
