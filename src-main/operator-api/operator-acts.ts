import { type ContractRouter, isContractProcedure } from '@orpc/contract';
import type { ActivityKind } from '../../src-shared/activity-kinds.ts';
import type { EventType } from '../../src-shared/event-types.ts';
import { contract } from '../../src-shared/operator-contract/contract.ts';
import type { LoggedAct, OperationMeta } from '../../src-shared/operator-contract/operation.ts';
import type { Role } from '../../src-shared/people/roles.ts';
import { Act } from '../journal/acting.ts';
import type { Doer } from '../journal/doer.ts';

/** What the operator does outside the operations of the contract. */
const OTHERS = {
  'session.signIn': { kind: 'sign_ins', event: 'operator.signed_in' },
  'session.passkeyRefused': { kind: 'sign_ins', event: 'passkey.refused' },
  'session.pinOff': { kind: 'sign_ins', event: 'pin.turned_off' },
  'till.pair': { kind: 'sign_ins', event: 'till.paired' },
  'session.signOut': { kind: 'sign_ins', event: 'operator.signed_out' },
  'waiting.ask': { kind: 'payments', event: 'waiting_act.asked' },
  'backups.restore': { kind: 'backups', event: 'node.restored' },
} as const satisfies Record<string, LoggedAct>;

/** What the contract states of each operation in `router`, by the operation's dotted name. */
function statedIn(router: ContractRouter<OperationMeta>, path: readonly string[] = []): [string, OperationMeta][] {
  if (isContractProcedure(router)) return [[path.join('.'), router['~orpc'].meta]];
  return Object.entries(router).flatMap(([name, part]) => statedIn(part, [...path, name]));
}

const OPERATIONS = statedIn(contract);

/** What each operation does, in a sentence, by its dotted name. */
export const SUMMARIES: ReadonlyMap<string, string> = new Map(OPERATIONS.map(([operation, { summary }]) => [operation, summary]));

const ACTS: ReadonlyMap<string, LoggedAct> = new Map([
  ...OPERATIONS.flatMap(([operation, { act }]): [string, LoggedAct][] => (act === null ? [] : [[operation, act]])),
  ...Object.entries(OTHERS),
]);

/** The names of the operations that a role may call. */
export const operationsFor = (role: Role): string[] =>
  OPERATIONS.flatMap(([operation, { may }]) => (may.includes(role) ? [operation] : []));

type Circumstances = ConstructorParameters<typeof Act>[2];

/** The act of an operation. It is undefined when the operation only reads or does not exist. */
export function actNamed(operation: string, circumstances?: Circumstances): Act | undefined {
  const act = ACTS.get(operation);
  return act && new Act(operation, act.event, circumstances);
}

/** The act of something that a person does outside the contract. @param by is undefined when nobody knows who. */
export const otherAct = (operation: keyof typeof OTHERS, by?: Doer, mayBeDone?: Act['mayBeDone']): Act =>
  new Act(operation, OTHERS[operation].event, { by, mayBeDone });

/** The kind of the act that an operation performs. */
export const kindOf = (operation: string): ActivityKind => ACTS.get(operation)?.kind ?? 'settings';

/** The operations whose acts are of this kind. */
export const operationsOf = (kind: ActivityKind): string[] =>
  [...ACTS].flatMap(([operation, act]) => (act.kind === kind ? [operation] : []));

/** The types of all events that show an act of the operator. */
export const LOGGED_EVENTS: ReadonlySet<EventType> = new Set([...ACTS.values()].map(({ event }) => event));
