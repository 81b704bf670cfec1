// @ts-check
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The project's folder; every script works from here, wherever it was called. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The script behind a package's command, to be run with this very Node: what `npx` finds may be another one.
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
 * Runs a program in the project's folder and waits for its end.
 * @param {string} program
 * @param {string[]} args
 * @param {{ quiet?: boolean, env?: Record<string, string>, timeoutMs?: number }} [options] `quiet` keeps what it prints
 * in `output`.
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
 * Runs a script with this Node.
 * @param {string} script
 * @param {string[]} [args]
 * @param {Parameters<typeof run>[2]} [options]
 */
export const runNode = (script, args = [], options = {}) => run(process.execPath, [script, ...args], options);

const LOOK_FOR_SHELL_MS = 100;

/**
 * Ends this process like a SIGTERM when the shell in which npm runs it is gone. npm passes a signal on to that shell
 * only, and common shells end without passing it on, which would leave a node behind that nobody sees.
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
 * Turns this very process into the headless node: its output, signals and exit code are the node's own, and it is there
 * only once.
 */
export async function runHeadless() {
  endWithShell();
  await import(pathToFileURL(join(root, 'out/main/headless.js')).href);
}

/** @param {number} milliseconds */
export const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;
