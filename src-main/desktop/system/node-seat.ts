import type { LockReason } from '../../../src-shared/operator-contract/lock.ts';
import type { WalletNode } from '../../wallet-node.ts';

/** The part of a node that is used here. */
interface Seated {
  readonly operator: Pick<WalletNode['operator'], 'lock' | 'locked'>;
  close(): Promise<void>;
}

/** Holds the app's node, also while another node takes its place. */
export class NodeSeat<Node extends Seated> {
  #node: Node;
  /** The promise is pending while no node runs. */
  #serving = Promise.withResolvers<Node>();
  #replacing: Promise<void> | undefined;
  /** Why the console was to be locked since the last node began to stop. */
  #lockedMeanwhile: LockReason | undefined;
  #ending = false;

  constructor(node: Node) {
    this.#node = node;
    this.#serving.resolve(node);
  }

  /** The last node that was started; it may have stopped. */
  get node(): Node {
    return this.#node;
  }

  /** The node that runs, or the next one that will. */
  get serving(): Promise<Node> {
    return this.#serving.promise;
  }

  /** Locks the console. While a node is being started, its console is locked as soon as it runs. */
  lock(reason: LockReason): void {
    this.#node.operator.lock(reason);
    this.#lockedMeanwhile ??= reason;
  }

  /**
   * Closes the node and goes on with the one that `start` gives.
   * @returns the new node; undefined when the app ends instead
   * @throws the error of closing or starting
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
      // The console is locked before anybody is served: the person may have left meanwhile, and a restored node does
      // not know that.
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

  /** Closes the node that runs, or the one that is being started in its place. No other node is started afterwards. */
  async end(): Promise<void> {
    this.#ending = true;
    await this.#replacing;
    await this.#node.close();
  }
}
