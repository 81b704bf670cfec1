import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import asar from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { _electron } from 'playwright';
import { Data, NtExecutable, NtExecutableResource, Resource } from 'resedit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensureBrowser } from '../../scripts/browser.mjs';
import { SBOM_NAME, writeSbom } from '../../scripts/packaging/sbom.mjs';
import { commandOf, root } from '../../scripts/project.mjs';
import { BackupProcesses } from '../../src-main/backup/task-processes.ts';
import type { OpenTask } from '../../src-main/backup/tasks.ts';
import { APP_ID } from '../../src-main/desktop/system/app-id.ts';
import { standInOptions } from '../console/hosts/desktop-app.ts';
import { WelcomePage } from '../console/pages/welcome-page.ts';
import { makeFakeRuntime } from './packaging/fake-runtime.ts';

// The packages for Linux, macOS and Windows around runtimes that are none: what is in them, how their fuses stand, and
// that nothing they need is missing. What only the real runtime can show is in docs/packaging.md.

/** The states of a fuse as the runtime reads them: the characters 0 and 1. */
const FUSE_STATES = new Map([
  [0x30, 'off'],
  [0x31, 'on'],
]);

const NOWHERE = 'http://127.0.0.1:9/';

/** The place of the app in each system's package, seen from the folder into which it is built. */
const APP_FOLDERS = { linux: 'linux-unpacked', mac: 'mac/paydesk.app', win: 'win-unpacked' };

const packageJson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

let folder: string;
let unpacked: string;
let archive: string;
let files: string[];

/**
 * Builds the package for a system, without an installer, where nothing can be fetched.
 * @returns the folder of the app
 */
async function build(system: keyof typeof APP_FOLDERS): Promise<string> {
  const runtime = join(folder, `${system}-runtime`);
  makeFakeRuntime(runtime, system);
  const output = join(folder, system);
  const config = [`-c.electronDist=${runtime}`, `-c.directories.output=${output}`, '-c.mac.identity=null'];
  const command =
    system === 'win'
      ? [join(root, 'e2e/node/packaging/windows-installer.ts'), runtime, output]
      : [commandOf('electron-builder'), `--${system}`, '--x64', '--dir', '--publish', 'never', ...config];
  await promisify(execFile)(process.execPath, command, {
    cwd: root,
    // An attempt to fetch something fails at once instead of passing on a machine that can.
    env: { ...process.env, ELECTRON_MIRROR: NOWHERE, ELECTRON_BUILDER_BINARIES_MIRROR: NOWHERE },
    maxBuffer: 64 * 1024 * 1024,
  });
  return join(output, APP_FOLDERS[system]);
}

const filesIn = (asarFile: string) =>
  asar.listPackage(asarFile, { isPack: false }).map((path) => path.replaceAll('\\', '/').replace(/^\//, ''));

/** The files of an archive that the runtime could not check. */
const withoutHash = (asarFile: string) =>
  filesIn(asarFile).filter((path) => {
    const entry = asar.statFile(asarFile, path);
    return 'size' in entry && !('integrity' in entry && /^[0-9a-f]{64}$/.test(entry.integrity.hash));
  });

const headerHash = (asarFile: string) => createHash('sha256').update(asar.getRawHeader(asarFile).headerString).digest('hex');

const filesBelow = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(path, join(entry.parentPath, entry.name)));

/** Compares a system's resources with those for Linux, from which only the database's library may differ. */
function expectSameArchive(resources: string, platform: string) {
  const packed = join(resources, 'app.asar');
  const native = `node_modules/better-sqlite3/prebuilds/${platform}.node`;
  const packedFiles = filesIn(packed);
  expect(packedFiles.filter((path) => !files.includes(path))).toEqual([native]);
  expect(files.filter((path) => !packedFiles.includes(path))).toEqual(['node_modules/better-sqlite3/prebuilds/linux-x64.node']);
  expect(filesBelow(`${packed}.unpacked`)).toEqual([native]);
  expect(withoutHash(packed)).toEqual([]);
  expect(existsSync(join(resources, 'default_app.asar'))).toBe(false);
}

/** How the seven fuses of a program stand. */
async function fusesOf(program: string) {
  const wire = await getCurrentFuseWire(program);
  const stateOf = (fuse: FuseV1Options) => FUSE_STATES.get(Number(Reflect.get(wire, fuse)));
  return {
    runAsNode: stateOf(FuseV1Options.RunAsNode),
    cookieEncryption: stateOf(FuseV1Options.EnableCookieEncryption),
    nodeOptions: stateOf(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
    nodeCliInspect: stateOf(FuseV1Options.EnableNodeCliInspectArguments),
    asarIntegrity: stateOf(FuseV1Options.EnableEmbeddedAsarIntegrityValidation),
    onlyFromAsar: stateOf(FuseV1Options.OnlyLoadAppFromAsar),
    filePrivileges: stateOf(FuseV1Options.GrantFileProtocolExtraPrivileges),
  };
}

const WANTED_FUSES = {
  runAsNode: 'off',
  cookieEncryption: 'on',
  nodeOptions: 'off',
  nodeCliInspect: 'off',
  asarIntegrity: 'on',
  onlyFromAsar: 'on',
  filePrivileges: 'off',
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-package-'));
  unpacked = await build('linux');
  archive = join(unpacked, 'resources/app.asar');
  files = filesIn(archive);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('the package has its seven fuses set against scripts, debuggers and changed code', async () => {
  expect(await fusesOf(join(unpacked, 'paydesk'))).toEqual(WANTED_FUSES);
});

it('the package holds what runs and nothing else', () => {
  const own = files.filter((path) => !path.startsWith('node_modules'));
  expect(new Set(own.map((path) => path.split('/')[0]))).toEqual(new Set(['out', 'drizzle', 'package.json']));
  for (const needed of [
    'out/main/desktop.js',
    'out/main/archive-worker.js',
    'out/main/audit-worker.js',
    'out/main/backup-worker.js',
    'out/main/disk-worker.js',
    'out/main/read-worker.js',
    'out/main/signature-worker.js',
    'out/main/FONT-LICENSE.txt',
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

it('the package holds the npm packages that run, without those for building and testing', () => {
  const { dependencies, devDependencies } = packageJson;
  const has = (name: string) => files.includes(`node_modules/${name}/package.json`);
  // Bundled into out/main.
  expect(Object.keys(dependencies).filter((name) => !has(name))).toEqual(['drizzle-orm']);
  // A package that runs needs these itself.
  const both = ['@formatjs/icu-messageformat-parser', 'ajv', 'ajv-formats', 'ilp-protocol-ildcp'];
  expect(Object.keys(devDependencies).filter((name) => has(name) && !both.includes(name))).toEqual([]);
});

it('the package comes with a list of all packages that marks those for building and testing', async () => {
  await writeSbom(folder);
  const { bomFormat, components } = JSON.parse(readFileSync(join(folder, SBOM_NAME), 'utf8'));
  expect(bomFormat).toBe('CycloneDX');
  const isForDevelopment = new Map<string, boolean>(
    components.map(({ name, properties = [] }: { name: string; properties?: { name: string }[] }) => [
      name,
      properties.some((property) => property.name === 'cdx:npm:package:development'),
    ]),
  );
  for (const name of Object.keys(packageJson.dependencies)) expect([name, isForDevelopment.get(name)]).toEqual([name, false]);
  for (const name of ['react', 'vitest']) expect([name, isForDevelopment.get(name)]).toEqual([name, true]);
});

it('the package holds one build of the database outside the archive, and every integrity hash', () => {
  const natives = files.filter((path) => path.endsWith('.node'));
  expect(natives).toEqual(['node_modules/better-sqlite3/prebuilds/linux-x64.node']);
  expect(filesBelow(`${archive}.unpacked`)).toEqual(natives);
  expect(files.filter((path) => /^node_modules\/better-sqlite3\/(deps|src)\//.test(path))).toEqual([]);
  expect(withoutHash(archive)).toEqual([]);
});

it('the package for macOS holds the same files with its own library, and the app holds the archive’s hash', async () => {
  const app = await build('mac');
  expect(await fusesOf(app)).toEqual(WANTED_FUSES);
  const resources = join(app, 'Contents/Resources');
  expect(readFileSync(join(app, 'Contents/Info.plist'), 'utf8')).toContain(`<string>${headerHash(join(resources, 'app.asar'))}</string>`);
  expectSameArchive(resources, 'darwin-x64');
});

it('the package for Windows holds the same files with its own library, and the program holds the archive’s hash, name and icon', async () => {
  const app = await build('win');
  const program = join(app, 'paydesk.exe');
  expect(await fusesOf(program)).toEqual(WANTED_FUSES);
  expectSameArchive(join(app, 'resources'), 'win32-x64');
  expect(readdirSync(join(app, 'resources')).sort()).toEqual(['app.asar', 'app.asar.unpacked']);
  expect(
    filesBelow(app)
      .filter((path) => !path.startsWith('resources/'))
      .sort(),
  ).toEqual(['LICENSE.electron.txt', 'LICENSES.chromium.html', 'ffmpeg.dll', 'locales/en-US.pak', 'paydesk.exe']);

  const { entries } = NtExecutableResource.from(NtExecutable.from(readFileSync(program)));
  const integrity = entries.filter(({ type, id }) => type === 'INTEGRITY' && id === 'ELECTRONASAR');
  expect(integrity.map(({ bin }) => JSON.parse(Buffer.from(bin).toString()))).toEqual([
    [{ file: 'resources\\app.asar', alg: 'SHA256', value: headerHash(join(app, 'resources/app.asar')) }],
  ]);
  const [version] = Resource.VersionInfo.fromEntries(entries);
  expect(version?.getStringValues({ lang: 0x409, codepage: 1200 })).toMatchObject({
    ...{ ProductName: 'paydesk', FileDescription: 'paydesk', CompanyName: 'The paydesk authors', InternalName: 'paydesk' },
    ...{ FileVersion: packageJson.version, ProductVersion: `${packageJson.version}.0` },
  });
  const icon = Data.IconFile.from(readFileSync(join(root, 'packaging/icon.ico')));
  const [group] = Resource.IconGroupEntry.fromEntries(entries);
  expect(group?.icons.map(({ width }) => width)).toEqual(icon.icons.map(({ width }) => width));

  const [installer] = JSON.parse(readFileSync(join(folder, 'win/installer.json'), 'utf8'));
  expect(installer).toMatchObject({ APP_ID, APP_FILENAME: 'paydesk', COMPANY_NAME: 'The paydesk authors' });
  // Neither may the money go with the app, nor the app lie in a folder that holds anything else.
  expect(installer).not.toHaveProperty('DELETE_APP_DATA_ON_UNINSTALL');
  expect(installer).not.toHaveProperty('allowToChangeInstallationDirectory');
});

it('the app runs from the archive alone, with the database and its threads', async () => {
  const app = join(folder, 'app');
  asar.extractAll(archive, app);
  const { executablePath, env } = standInOptions(await ensureBrowser());
  const profile = join(folder, 'profile');
  const electron = await _electron.launch({
    args: [app, `--user-data-dir=${profile}`, '--', '--listen', '127.0.0.1:0', '--development'],
    cwd: folder,
    timeout: 120_000,
    executablePath,
    env,
  });
  const exited = once(electron.process(), 'exit');
  await new WelcomePage(await electron.firstWindow({ timeout: 120_000 })).heading.waitFor({ timeout: 120_000 });
  await electron.close();
  expect((await exited)[0]).toBe(0);
  expect(existsSync(join(profile, 'node/paydesk.db'))).toBe(true);

  // The process and the thread run alone, on tasks that they must refuse. That shows that everything they import is
  // there.
  const task: OpenTask = {
    ...{ kind: 'open', file: join(app, 'package.json'), passphrase: 'four plain words', migrations: '' },
    databaseFile: join(folder, 'restored.db'),
  };
  const opening = new BackupProcesses({ file: join(app, 'out/main/backup-worker.js') }).open(task);
  expect(await opening).toEqual({ ok: false, error: 'no_backup' });
  const checking = new Worker(join(app, 'out/main/signature-worker.js'), { execArgv: [] });
  checking.postMessage(['no key', 'text', 'no signature']);
  expect(await once(checking, 'message')).toEqual(['0']);
  await checking.terminate();
});
