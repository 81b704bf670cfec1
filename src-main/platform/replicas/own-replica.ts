import { newId } from '../ids.ts';

/** This process among those that run the node. */
export interface OwnReplica {
  /** Names the process. What it claims carries this name. */
  readonly id: string;
  /** How many processes run the node: at least one. */
  readonly living: number;
  /** Whether this process does what one of them must do: it sweeps, and removes what is too old. */
  readonly doesChores: boolean;
}

/** The only process of a node whose books are in its data folder. */
export const aloneReplica = (): OwnReplica => ({ id: newId(), living: 1, doesChores: true });
