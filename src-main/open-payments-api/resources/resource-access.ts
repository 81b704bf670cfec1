import type { FastifyRequest } from 'fastify';
import type { AccessType } from '../../access/rights/access-rights.ts';
import { type AccessNeed, type Allowed, allows } from '../../access/rights/allows.ts';
import type { Authenticated, Authenticator } from '../../access/tokens/authenticate.ts';
import type { IncomingPayments } from '../../payments/incoming/incoming-payments.ts';
import type { WantedPage } from '../../payments/list-pages.ts';
import type { OutgoingPayments } from '../../payments/outgoing/outgoing-payments.ts';
import type { Quotes } from '../../payments/quotes/quotes.ts';
import type { Core } from '../../platform/core.ts';
import type { WalletAddress, WalletAddresses } from '../../wallet-addresses/wallet-addresses.ts';
import { callerOf } from '../http/authenticate-request.ts';
import { ApiProblem, type Condition } from '../http/problems.ts';
import type { IlpMethod, Representations } from './representations.ts';
import type { ListQuery } from './resource-schemas.ts';

/** The services that the resource routes use. */
export interface ResourceServices extends Pick<Core, 'database' | 'clock' | 'urls'> {
  authenticator: Authenticator;
  representations: Representations;
  walletAddresses: WalletAddresses;
  incomingPayments: IncomingPayments;
  quotes: Quotes;
  outgoingPayments: OutgoingPayments;
  /** How an incoming payment can be paid. */
  methods(incomingPaymentId: string, walletAddress: WalletAddress): Promise<IlpMethod[]>;
}

type Need = Pick<AccessNeed, 'type' | 'action'>;

/**
 * The client, if it has a right to do such a thing at any wallet address, which the empty URL stands for.
 * @throws ApiProblem `insufficient_grant`.
 */
export function callerWith(request: FastifyRequest, need: Need): Authenticated {
  const caller = callerOf(request);
  if (allows(caller.access, { ...need, walletAddressUrl: '' }) === 'insufficient') throw new ApiProblem('insufficient_grant');
  return caller;
}

/**
 * The right for this wallet address.
 * @throws ApiProblem `absent` when the client has rights for other wallet addresses only.
 */
export function rightAt(caller: Authenticated, need: Need, walletAddressUrl: string, absent: Condition): Allowed {
  const allowed = allows(caller.access, { ...need, walletAddressUrl });
  if (allowed === 'insufficient') throw new ApiProblem('insufficient_grant');
  if (allowed === 'not_here') throw new ApiProblem(absent);
  return allowed;
}

/**
 * A stored thing that the client may see. What does not exist and what is another client's get the same answer.
 * @throws ApiProblem `absent`.
 */
export async function visible<T extends { walletAddressId: string; client: string | null }>(
  { walletAddresses }: ResourceServices,
  caller: Authenticated,
  row: T | undefined,
  { type, absent }: { type: AccessType; absent: Condition },
): Promise<{ row: T; walletAddress: WalletAddress }> {
  const walletAddress = row && (await walletAddresses.byId(row.walletAddressId));
  if (row === undefined || walletAddress === undefined) throw new ApiProblem(absent);
  const { ownOnly } = rightAt(caller, { type, action: 'read' }, walletAddresses.urlOf(walletAddress), absent);
  if (ownOnly && row.client !== caller.client.id) throw new ApiProblem(absent);
  return { row, walletAddress };
}

/** The wallet address that a request names. @throws ApiProblem `unknown_wallet_address`. */
export async function namedWalletAddress({ walletAddresses }: ResourceServices, url: string): Promise<WalletAddress> {
  const walletAddress = await walletAddresses.byUrl(url);
  if (walletAddress === undefined) throw new ApiProblem('unknown_wallet_address');
  return walletAddress;
}

const DEFAULT_PAGE_SIZE = 20;

/**
 * Reads the paging part of a list's query (decisions.md#D-09).
 * @throws ApiProblem for combinations that have no meaning.
 */
function pageRequest({ cursor, first, last }: ListQuery): WantedPage {
  if (first !== undefined && last !== undefined) throw new ApiProblem('first_and_last');
  if (last !== undefined && cursor === undefined) throw new ApiProblem('last_without_cursor');
  return { cursor, direction: last === undefined ? 'forward' : 'backward', size: first ?? last ?? DEFAULT_PAGE_SIZE };
}

/** Finds out everything that a list route needs before it reads rows. */
export async function listRequest(services: ResourceServices, request: FastifyRequest, query: ListQuery, type: AccessType) {
  const need = { type, action: 'list' } as const;
  const caller = callerWith(request, need);
  const page = pageRequest(query);
  const walletAddress = await namedWalletAddress(services, query['wallet-address']);
  const { ownOnly } = rightAt(caller, need, services.walletAddresses.urlOf(walletAddress), 'unknown_wallet_address');
  return { walletAddress, list: { ...page, walletAddressId: walletAddress.id, client: ownOnly ? caller.client.id : undefined } };
}
