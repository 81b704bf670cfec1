import type { LockReason } from '../../../src-shared/operator-contract/lock.ts';
import type { WalletNode } from '../../wallet-node.ts';

/** What of a node is needed here. */
interface Seated {
  readonly operator: Pick<WalletNode['operator'], 'lock' | 'locked'>;
  close(): Promise<void>;
}

/** The app's node, and what is asked of it while another one takes its place. */
export class NodeSeat<Node extends Seated> {
  #node: Node;
  /** Pending while none runs. */
  #serving = Promise.withResolvers<Node>();
  #replacing: Promise<void> | undefined;
  /** Why the screen was to be locked since the last node began to stop. */
  #lockedMeanwhile: LockReason | undefined;
  #ending = false;

  constructor(node: Node) {
    this.#node = node;
    this.#serving.resolve(node);
  }

  /** The last one; it may have stopped. */
  get node(): Node {
    return this.#node;
  }

  /** The one that runs, or the next one that does. */
  get serving(): Promise<Node> {
    return this.#serving.promise;
  }

  /** Locks the console; of a node that is just being started, as soon as it runs. */
  lock(reason: LockReason): void {
    this.#node.operator.lock(reason);
    this.#lockedMeanwhile ??= reason;
  }

  /**
   * Closes the node and goes on with the one that `start` gives.
   * @returns undefined when the app ends instead.
   * @throws what closing or starting throws.
   */
  async replace(start: () => Promise<Node>): Promise<Node | undefined> {
    const replaced = Promise.withResolvers<void>();
    this.#replacing = replaced.promise;
    this.#serving = Promise.withResolvers();
    this.#lockedMeanwhile = undefined;
    try {
      await this.#node.close();
      if (this.#ending) return undefined;
      const wasLocked = this.#node.operator.locked;
      this.#node = await start();
      // Before anybody is served: a person may have left meanwhile, and other books know nothing of that.
      const reason = this.#lockedMeanwhile ?? (wasLocked ? 'operator' : undefined);
      if (reason !== undefined) this.#node.operator.lock(reason);
    } finally {
      this.#replacing = undefined;
      replaced.resolve();
    }
    if (this.#ending) return undefined;
    this.#serving.resolve(this.#node);
    return this.#node;
  }

  /** Closes the node that runs, or the one that is just being started in its place; no other one is started any more. */
  async end(): Promise<void> {
    this.#ending = true;
    await this.#replacing;
    await this.#node.close();
  }
}
