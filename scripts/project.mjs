// @ts-check
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The project's folder. Every script works from here, in whatever folder it was called. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The script behind a package's command. It is to be run with the Node.js that runs this process, because `npx` may
 * find another one.
 * @param {string} packageName
 * @param {string} command
 */
export function commandOf(packageName, command = packageName) {
  const folder = join(root, 'node_modules', packageName);
  /** @type {{ bin: string | Record<string, string> }} */
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const script = typeof bin === 'string' ? bin : bin[command];
  if (script === undefined) throw new Error(`The package ${packageName} has no command ${command}.`);
  return join(folder, script);
}

/**
 * Runs a program in the project's folder and waits until it ends.
 * @param {string} program
 * @param {string[]} args
 * @param {{ quiet?: boolean, env?: Record<string, string>, timeoutMs?: number }} [options] With `quiet` the program's
 * output goes into `output` only.
 * @returns {Promise<{ code: number, output: string, milliseconds: number }>}
 */
export async function run(program, args, { quiet = false, env = {}, timeoutMs } = {}) {
  const start = performance.now();
  const { promise, resolve } = Promise.withResolvers();
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  child.on('error', (error) => {
    output += error.message;
    resolve(1);
  });
  child.on('close', (code) => resolve(code ?? 1));
  const code = await promise;
  return { code, output, milliseconds: performance.now() - start };
}

/**
 * Runs a script with the Node.js that runs this process.
 * @param {string} script
 * @param {string[]} [args]
 * @param {Parameters<typeof run>[2]} [options]
 */
export const runNode = (script, args = [], options = {}) => run(process.execPath, [script, ...args], options);

const LOOK_FOR_SHELL_MS = 100;

/**
 * Sends this process a SIGTERM when the shell in which npm runs it has ended. npm passes a signal on to that shell
 * only, and common shells end without passing it on. The node would otherwise keep running unnoticed.
 */
export function endWithShell() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_FOR_SHELL_MS).unref();
}

/**
 * Turns this process into the headless node, instead of starting a second process. So the output, the signals and the
 * exit code of this process are the node's own.
 */
export async function runHeadless() {
  endWithShell();
  await import(pathToFileURL(join(root, 'out/main/headless.js')).href);
}

/** @param {number} milliseconds */
export const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;
