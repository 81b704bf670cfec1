import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { RunningNode } from './running-node.ts';

/** So many times something is tried before a test gives up. */
const MOST_TRIES = 50;

/** A node that dies at fail points, and is started again on the same data. */
export class DyingNode {
  node: RunningNode;
  /** How often it died while something was done. */
  deaths = 0;
  readonly #folder: string;

  private constructor(folder: string, node: RunningNode) {
    this.#folder = folder;
    this.node = node;
  }

  /** @param name a word for its folder. */
  static async start(name: string): Promise<DyingNode> {
    const folder = mkdtempSync(join(tmpdir(), `paydesk-${name}-`));
    return new DyingNode(folder, await startIn(folder));
  }

  /** Kills it and starts it with a fail point (src-main/platform/fail-points.ts). */
  async restart(failPoint: string | undefined): Promise<void> {
    await this.node.kill();
    await this.#start(failPoint);
  }

  /** Does something again and again until it succeeds, although the node may die meanwhile. */
  async untilDone<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        if (tries === MOST_TRIES) throw error;
        await pause(100);
        if (this.node.isRunning) continue;
        this.deaths += 1;
        await this.#start();
      }
    }
  }

  /** Stops it, and removes its folder. */
  async stop(): Promise<void> {
    await this.node.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #start(failPoint?: string): Promise<void> {
    // The node can die while it starts. Then it starts without the fail point.
    this.node = await startIn(this.#folder, failPoint).catch(() => startIn(this.#folder));
  }
}

const startIn = (dataDir: string, failPoint?: string): Promise<RunningNode> =>
  RunningNode.start({
    ...{ dataDir, flags: ['--log-level', 'error'] },
    ...(failPoint !== undefined && { env: { PAYDESK_FAIL_POINT: failPoint } }),
  });
