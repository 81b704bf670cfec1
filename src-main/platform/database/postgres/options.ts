import type { Queued } from '../commits/write-queue.ts';
import type { Batch } from './batch.ts';
import type { Interleaver } from './job-run.ts';
import type { Session } from './session.ts';

/** How long things may take, in milliseconds. */
export interface Times {
  /** A statement, also one that waits for the turn. */
  statement: number;
  /** A question of the operator that no index answers. */
  aside: number;
  /** The server ends the session of one who has the turn and says nothing for so long. */
  idleInTurn: number;
  /** A session is given up when the server owes an answer and says nothing for so long. It is more than a statement. */
  silence: number;
  /** The jobs that wait are refused after this time without a turn, in milliseconds. */
  giveUp: number;
  /** How long a heartbeat may take on the server. */
  heartbeat: number;
  /** How often it is looked whether other processes have committed. */
  poll: number;
  /** How often other processes are told of commits at most. */
  tell: number;
}

export const TIMES: Times = {
  statement: 10_000,
  aside: 60_000,
  idleInTurn: 2_000,
  silence: 15_000,
  giveUp: 30_000,
  heartbeat: 2_000,
  poll: 2_000,
  tell: 20,
};

/** Tests only: runs the jobs of a batch before their real run, in the same turn, and undoes what they do. */
export type Rehearsal = (jobs: readonly Queued[], batch: Batch, session: Session) => Promise<void>;

export interface PostgresOptions {
  /** Tests only: every job runs once before its real run, and is undone. A function rehearses in another way. */
  rehearse?: boolean | Rehearsal;
  /** Tests only: decides in which order the statements of jobs run that run side by side. */
  interleaver?: Interleaver;
  /** Tests only: the first connection is made when this has happened. */
  ready?: Promise<unknown>;
  /** Whether to hear of commits of other processes, and to tell of own ones, over a connection of its own: yes. */
  listens?: boolean;
  /** Called once when the database stops taking writes. */
  onStopped?: (reason: Error) => void;
  /** Called each time that a statement fails because the server cannot read a part of the database. */
  onDamaged?: (error: unknown) => void;
  /** Tests give shorter times. */
  times?: Partial<Times>;
}
