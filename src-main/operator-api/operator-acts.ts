import { type ContractRouter, isContractProcedure } from '@orpc/contract';
import type { ActivityKind } from '../../src-shared/activity-kinds.ts';
import type { EventType } from '../../src-shared/event-types.ts';
import { contract } from '../../src-shared/operator-contract/contract.ts';
import type { LoggedAct, OperationMeta } from '../../src-shared/operator-contract/operation.ts';
import { Act } from '../journal/acting.ts';

/** What the operator does beside the operations of the contract. */
const OTHERS = {
  'session.signIn': { kind: 'sign_ins', event: 'operator.signed_in' },
  'session.signOut': { kind: 'sign_ins', event: 'operator.signed_out' },
  'backups.restore': { kind: 'backups', event: 'node.restored' },
} as const satisfies Record<string, LoggedAct>;

/** Every act of `router` by the dotted name of its operation. */
function actsIn(router: ContractRouter<OperationMeta>, path: readonly string[] = []): [string, LoggedAct][] {
  if (!isContractProcedure(router)) return Object.entries(router).flatMap(([name, part]) => actsIn(part, [...path, name]));
  const { act } = router['~orpc'].meta;
  return act === null ? [] : [[path.join('.'), act]];
}

const ACTS: ReadonlyMap<string, LoggedAct> = new Map([...actsIn(contract), ...Object.entries(OTHERS)]);

/** The act of an operation. It is undefined when the operation only reads or does not exist. */
export function actNamed(operation: string): Act | undefined {
  const act = ACTS.get(operation);
  return act && new Act(operation, act.event);
}

/** One of the operator's acts beside the contract. */
export const otherAct = (operation: keyof typeof OTHERS): Act => new Act(operation, OTHERS[operation].event);

/** What an entry of the log is about. */
export const kindOf = (operation: string): ActivityKind => ACTS.get(operation)?.kind ?? 'settings';

/** The operations whose entries are about `kind`. */
export const operationsOf = (kind: ActivityKind): string[] =>
  [...ACTS].flatMap(([operation, act]) => (act.kind === kind ? [operation] : []));

/** The events that may come with an entry of the log. */
export const LOGGED_EVENTS: ReadonlySet<EventType> = new Set([...ACTS.values()].map(({ event }) => event));
