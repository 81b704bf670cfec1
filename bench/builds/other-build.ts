import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { NodeBuild } from '../../e2e/support/nodes/running-node.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const LOCK = 'package-lock.json';
const execute = promisify(execFile);

/** The build of another commit, in a folder of its own. */
interface OtherBuild {
  readonly commit: string;
  readonly build: NodeBuild;
  remove(): void;
}

/**
 * Builds a commit of this repository in a folder for temporary files. Where its lock file is that of this folder, it
 * uses the packages of this folder. Otherwise npm installs them there.
 * @param ref names the commit, as git understands it.
 * @throws Error with what git, npm or the build has written.
 */
export async function buildOf(ref: string): Promise<OtherBuild> {
  const { stdout } = await execute('git', ['rev-parse', '--short', `${ref}^{commit}`], { cwd: ROOT });
  const commit = stdout.trim();
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-build-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const run = async (program: string, args: readonly string[]): Promise<void> => {
    await execute(program, args, { cwd: folder, maxBuffer: Number.POSITIVE_INFINITY });
  };
  try {
    const archive = join(folder, 'commit.tar');
    await execute('git', ['archive', '--format=tar', '-o', archive, commit], { cwd: ROOT });
    await run('tar', ['-xf', archive]);
    const samePackages = readFileSync(join(folder, LOCK)).equals(readFileSync(join(ROOT, LOCK)));
    if (samePackages) symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
    else await run('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline']);
    const program = nodeOf(folder);
    await run(program, [join(folder, 'node_modules/electron-vite/bin/electron-vite.js'), 'build']);
    return { commit, build: { program, flags: flagsOf(folder), headless: join(folder, 'out/main/headless.js') }, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** The Node that comes with the packages of a build. */
function nodeOf(folder: string): string {
  const program = join(folder, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(program) ? program : process.execPath;
}

/** The flags that a build's own command `npm run headless` gives to Node. */
function flagsOf(folder: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
  return scripts.headless?.split(' ').filter((word) => word.startsWith('--')) ?? [];
}
