import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import { type AnyContractProcedure, type ContractRouter, isContractProcedure } from '@orpc/contract';
import { contract, type OperationName } from '../../../src-shared/operator-contract/contract.ts';
import type { OperationMeta } from '../../../src-shared/operator-contract/operation.ts';
import type { Client } from './desk.ts';

const proceduresIn = (router: ContractRouter<OperationMeta>, path: readonly string[] = []): [string, AnyContractProcedure][] =>
  isContractProcedure(router)
    ? [[path.join('.'), router]]
    : Object.entries(router).flatMap(([name, part]) => proceduresIn(part, [...path, name]));

/** Every operation of the contract, by its dotted name. */
export const PROCEDURES = proceduresIn(contract) as [OperationName, AnyContractProcedure][];

/** What the contract states of an operation. */
export const metaOf = (procedure: AnyContractProcedure): OperationMeta => procedure['~orpc'].meta as OperationMeta;

/** The operations of a console over HTTP, called with a token or a key. */
export const clientWith = (url: string, token: string): Client =>
  createORPCClient<Client>(new RPCLink({ url: `${url}/operator/rpc`, headers: { authorization: `Bearer ${token}` } }));

/** Calls an operation over HTTP. @returns the code of its error, if there is one, and the text of the whole answer. */
export async function callWith(
  url: string,
  token: string,
  name: string,
  input?: object,
  meta: unknown[] = [],
): Promise<{ code: string | undefined; text: string }> {
  const answer = await fetch(`${url}/operator/rpc/${name.replaceAll('.', '/')}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(input === undefined ? {} : { json: input, meta }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  const { json } = isJson && text !== '' ? (JSON.parse(text) as { json?: { code?: string } | null }) : {};
  return { code: answer.ok ? undefined : json?.code, text };
}
