import { join } from 'node:path';
import type { Dice } from '../support/seeded.ts';
import type { Acts } from './acts.ts';
import type { People } from './people.ts';
import type { SimulatedNode } from './simulated-node.ts';
import { nextVersion } from './upgrades.ts';
import type { Journal } from './wires.ts';

/** What happens, and how. */
type Kind = readonly [string, () => void];

/** How many troubles in all move whole books, which takes long. */
const RARE = 0.2;

interface Parts {
  nodes: readonly [SimulatedNode, SimulatedNode];
  dice: Dice;
  people: Pick<People, 'acknowledgedBy' | 'mourn'>;
  acts: Acts;
  /** Ends the node and starts it again a little later. */
  crash: (node: SimulatedNode) => void;
  /** Starts a node that has stopped a little later. */
  startLater: (node: SimulatedNode) => void;
  /** The folder for copies of nodes and for migrations. */
  folder: string;
  journal: Journal;
}

/** What happens to the computers of the nodes, one thing at a time. */
export class Troubles {
  readonly #parts: Parts;
  /** The newest copy of each node. */
  readonly #copies = new Map<SimulatedNode, Copy>();
  #count = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Lets something happen to one of the nodes, if it is up. */
  strike(): void {
    const { nodes, dice, journal } = this.#parts;
    const node = dice.pick(nodes);
    const kinds: readonly Kind[] = [
      ['clock set wrong', () => node.clock.jump(dice)],
      ['disk is slow', () => node.disk.slowDown()],
      ['disk is full', () => node.disk.fillUp(node.database)],
      ['write fails', () => node.disk.failCommit()],
      ['sync fails', () => node.disk.failSync()],
    ];
    const rareKinds: readonly Kind[] = [
      ['copy made', () => this.#copy(node)],
      this.#copies.has(node) ? ['copy put back', () => this.#putBack(node)] : ['copy made', () => this.#copy(node)],
      ['upgrade', () => this.#upgrade(node)],
    ];
    const [what, happen] = dice.pick(dice.chance(RARE) ? rareKinds : kinds);
    if (!node.isUp || node.database.connection.inTransaction) return;
    journal(what);
    happen();
  }

  /** Sets the clocks right, so that payments can end. */
  end(): void {
    for (const { clock } of this.#parts.nodes) clock.setRight();
  }

  #copy(node: SimulatedNode): void {
    const copy = { folder: this.#next('copy'), acknowledged: this.#parts.people.acknowledgedBy(node) };
    node.copyInto(copy.folder);
    this.#copies.set(node, copy);
  }

  /** Everything that the node has done since its newest copy was made is lost to it. */
  #putBack(node: SimulatedNode): void {
    const copy = this.#copies.get(node);
    if (copy === undefined) return;
    this.#parts.crash(node);
    node.putBack(copy.folder);
    this.#parts.people.mourn(node, copy.acknowledged);
  }

  /** The operator stops the node and starts the next version. */
  #upgrade(node: SimulatedNode): void {
    const migrations = this.#next('migrations');
    nextVersion(node.migrations, migrations);
    node.migrations = migrations;
    this.#parts.acts.begin(async () => {
      await node.stop();
      this.#parts.startLater(node);
    });
  }

  #next(what: string): string {
    this.#count += 1;
    return join(this.#parts.folder, `${what}-${this.#count}`);
  }
}

interface Copy {
  readonly folder: string;
  readonly acknowledged: number;
}
