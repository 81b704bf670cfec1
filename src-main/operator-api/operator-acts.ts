import { type ContractRouter, isContractProcedure } from '@orpc/contract';
import type { ActivityKind } from '../../src-shared/activity-kinds.ts';
import type { EventType } from '../../src-shared/event-types.ts';
import { contract } from '../../src-shared/operator-contract/contract.ts';
import type { LoggedAct, OperationMeta } from '../../src-shared/operator-contract/operation.ts';
import { Act } from '../journal/acting.ts';
import type { Doer } from '../journal/doer.ts';

/** What the operator does outside the operations of the contract. */
const OTHERS = {
  'session.signIn': { kind: 'sign_ins', event: 'operator.signed_in' },
  'session.signOut': { kind: 'sign_ins', event: 'operator.signed_out' },
  'backups.restore': { kind: 'backups', event: 'node.restored' },
} as const satisfies Record<string, LoggedAct>;

/** The act of each operation in `router`, by the operation's dotted name. */
function actsIn(router: ContractRouter<OperationMeta>, path: readonly string[] = []): [string, LoggedAct][] {
  if (!isContractProcedure(router)) return Object.entries(router).flatMap(([name, part]) => actsIn(part, [...path, name]));
  const { act } = router['~orpc'].meta;
  return act === null ? [] : [[path.join('.'), act]];
}

const ACTS: ReadonlyMap<string, LoggedAct> = new Map([...actsIn(contract), ...Object.entries(OTHERS)]);

type Circumstances = ConstructorParameters<typeof Act>[2];

/** The act of an operation. It is undefined when the operation only reads or does not exist. */
export function actNamed(operation: string, circumstances?: Circumstances): Act | undefined {
  const act = ACTS.get(operation);
  return act && new Act(operation, act.event, circumstances);
}

/** The act of something that a person does outside the contract. @param by is undefined when nobody knows who. */
export const otherAct = (operation: keyof typeof OTHERS, by?: Doer): Act => new Act(operation, OTHERS[operation].event, { by });

/** The kind of the act that an operation performs. */
export const kindOf = (operation: string): ActivityKind => ACTS.get(operation)?.kind ?? 'settings';

/** The operations whose acts are of this kind. */
export const operationsOf = (kind: ActivityKind): string[] =>
  [...ACTS].flatMap(([operation, act]) => (act.kind === kind ? [operation] : []));

/** The types of all events that show an act of the operator. */
export const LOGGED_EVENTS: ReadonlySet<EventType> = new Set([...ACTS.values()].map(({ event }) => event));
