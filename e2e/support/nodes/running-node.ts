import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import type { ContractRouterClient } from '@orpc/contract';
import type { contract } from '../../../src-shared/operator-contract/contract.ts';
import { quietPort } from './quiet-port.ts';

/** The flags that the scripts in package.json give to Node. */
export const NODE_FLAGS = ['--max-semi-space-size=8', '--max-old-space-size=640'];
export const HEADLESS = resolve(import.meta.dirname, '../../../out/main/headless.js');

export type Operator = ContractRouterClient<typeof contract>;

/** A build of the node: the Node that runs it, the flags for that, and the script of the headless node. */
export interface NodeBuild {
  program: string;
  flags: readonly string[];
  headless: string;
}

/** The build of this folder, under the flags of its own commands. */
export const THIS_BUILD: NodeBuild = { program: process.execPath, flags: NODE_FLAGS, headless: HEADLESS };

interface NodeOptions {
  /** The build that runs. Without one it is that of this folder. */
  build?: NodeBuild;
  /**
   * A data folder that stays when the node stops, so that a node can start there again. Without one the node gets a new
   * folder, which `stop` removes.
   */
  dataDir?: string;
  flags?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** A file descriptor for the log. The log is not kept in memory then. */
  logTo?: number;
  /** How many files the system lets the node open. Only POSIX systems have such a limit. */
  openFiles?: number;
}

/** The built headless node as a process of its own, as a server runs it. */
export class RunningNode {
  readonly publicUrl: string;
  readonly consoleUrl: string;
  readonly dataDir: string;
  /** The operator, by the token that scripts use. */
  readonly operator: Operator;
  readonly #process: ChildProcess;
  readonly #closed: Promise<unknown>;
  readonly #log: string[];
  readonly #ownsDataDir: boolean;

  private constructor(started: {
    ready: { publicUrl: string; consoleUrl: string };
    process: ChildProcess;
    closed: Promise<unknown>;
    log: string[];
    dataDir: string;
    ownsDataDir: boolean;
  }) {
    this.publicUrl = started.ready.publicUrl;
    this.consoleUrl = started.ready.consoleUrl;
    this.dataDir = started.dataDir;
    this.#process = started.process;
    this.#closed = started.closed;
    this.#log = started.log;
    this.#ownsDataDir = started.ownsDataDir;
    this.operator = createORPCClient(
      new RPCLink({ url: `${this.consoleUrl}/operator/rpc`, headers: () => ({ authorization: `Bearer ${this.operatorToken}` }) }),
    );
  }

  /** Starts a node and waits until it is ready. @throws Error with what the node printed when it stops instead. */
  static async start({ dataDir, flags = [], env = {}, logTo, openFiles, build = THIS_BUILD }: NodeOptions = {}): Promise<RunningNode> {
    const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'paydesk-node-'));
    const listen = flags.includes('--listen') ? [] : ['--listen', `127.0.0.1:${await quietPort()}`];
    const args = ['--data-dir', folder, ...listen, '--console', '127.0.0.1:0', '--development', ...flags];
    const limited = openFiles === undefined ? [] : ['sh', '-c', `ulimit -n ${openFiles}; exec "$0" "$@"`];
    const [program = '', ...rest] = [...limited, build.program, ...build.flags, build.headless, ...args];
    const child = spawn(program, rest, {
      stdio: ['ignore', 'pipe', logTo ?? 'pipe'],
      env: { ...process.env, ...env },
    });
    // At `close` everything that the node wrote has been read. At `exit` that is not certain.
    const closed = once(child, 'close');
    const log: string[] = [];
    if (child.stderr) createInterface({ input: child.stderr }).on('line', (line) => log.push(line));
    if (child.stdout === null) throw new Error('a child process without its standard output');
    const lines = createInterface({ input: child.stdout });
    const ready = await Promise.race([
      once(lines, 'line').then(([line]) => JSON.parse(String(line)) as { publicUrl: string; consoleUrl: string }),
      closed.then(([code]) => Promise.reject(new Error(`the node stopped with ${code}: ${log.join('\n')}`))),
    ]);
    return new RunningNode({ ready, process: child, closed, log, dataDir: folder, ownsDataDir: dataDir === undefined });
  }

  get operatorToken(): string {
    return readFileSync(join(this.dataDir, 'operator-token'), 'utf8').trim();
  }
  get pid(): number {
    return this.#process.pid ?? 0;
  }
  /** The lines that the node has written to standard error. */
  get log(): readonly string[] {
    return this.#log;
  }
  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Ends the node without warning, as a power cut does. */
  async kill(): Promise<void> {
    if (!this.isRunning) return;
    this.#process.kill('SIGKILL');
    await this.exited();
  }
  /** Resolves with the exit code, or with the name of the signal. */
  async exited(): Promise<number | string> {
    await this.#closed;
    return this.#process.exitCode ?? this.#process.signalCode ?? -1;
  }
  /** Asks the node to stop, and removes its data folder if the node made it. @returns the exit code. */
  async stop(): Promise<number | string> {
    if (this.isRunning) this.#process.kill('SIGTERM');
    const code = await this.exited();
    if (this.#ownsDataDir) rmSync(this.dataDir, { recursive: true, force: true });
    return code;
  }
}
