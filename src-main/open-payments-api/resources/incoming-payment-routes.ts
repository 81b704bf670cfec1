import type { FastifyRequest } from 'fastify';
import { z } from '../../../src-shared/zod.ts';
import type { Authenticated } from '../../access/tokens/authenticate.ts';
import type { IncomingPayment } from '../../payments/incoming/incoming-payments.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { requireAuthentication } from '../http/authenticate-request.ts';
import { IdParams } from '../http/id-params.ts';
import { ApiProblem } from '../http/problems.ts';
import type { PublicServer } from '../http/server.ts';
import { lastModified, pageOf, readAmount } from './representations.ts';
import { callerWith, listRequest, namedWalletAddress, type ResourceServices, rightAt, visible } from './resource-access.ts';
import {
  IncomingPaymentAnswer,
  IncomingPaymentRequest,
  IncomingPaymentWithMethods,
  ListQuery,
  PublicIncomingPayment,
  pageAnswer,
} from './resource-schemas.ts';

const CREATE = { type: 'incoming-payment', action: 'create' } as const;
const COMPLETE = { type: 'incoming-payment', action: 'complete' } as const;
const READ = { type: 'incoming-payment', action: 'read' } as const;
const ABSENT = 'incoming_payment_not_found';
/** About as many bytes as an incoming payment takes on the disk with its indexes and events. */
const PAYMENT_BYTES = 3_000;

/** The routes of `/incoming-payments`. */
export function incomingPaymentRoutes(app: PublicServer, services: ResourceServices): void {
  const { representations, incomingPayments, walletAddresses } = services;
  const authenticate = requireAuthentication(services.authenticator, services.urls);

  /** Adds how to pay, while money can still arrive. */
  const withMethods = async (payment: IncomingPayment, walletAddress: WalletAddress, occasion: 'created' | 'read') => {
    const isOpen = incomingPayments.statusOf(payment) === 'open';
    const methods = isOpen ? await services.methods(payment.id, walletAddress) : [];
    return { ...representations.incomingPayment(payment, walletAddress, occasion), methods };
  };

  app.post(
    '/incoming-payments',
    {
      config: { stores: PAYMENT_BYTES, leavesThings: true },
      preValidation: authenticate,
      schema: { body: IncomingPaymentRequest, response: { 201: IncomingPaymentWithMethods } },
    },
    async (request, reply) => {
      const caller = callerWith(request, CREATE);
      const { walletAddress: url, incomingAmount, expiresAt, metadata } = request.body;
      const walletAddress = await targetOf(services, caller, url);
      rightAt(caller, CREATE, walletAddresses.urlOf(walletAddress), 'unknown_wallet_address');
      const created = await incomingPayments.create({
        walletAddress,
        client: caller.client.id,
        marks: caller.marks,
        incomingAmount: incomingAmount && readAmount(incomingAmount),
        expiresAt: expiresAt === undefined ? app.rateLimits?.endFor(request) : Date.parse(expiresAt),
        metadata,
      });
      if (!created.ok) throw created.error === 'id_taken' ? new Error('a fresh id is taken') : new ApiProblem(created.error);
      await app.rateLimits?.noteThing(request, created.value.id);
      reply.status(201).header('last-modified', lastModified(created.value));
      return await withMethods(created.value, walletAddress, 'created');
    },
  );

  app.get(
    '/incoming-payments',
    { preValidation: authenticate, schema: { querystring: ListQuery, response: { 200: pageAnswer(IncomingPaymentAnswer) } } },
    async (request) => {
      const { walletAddress, list } = await listRequest(services, request, request.query, 'incoming-payment');
      const page = await incomingPayments.list(list);
      if (!page.ok) throw new ApiProblem(page.error);
      return pageOf(page.value, (payment) => representations.incomingPayment(payment, walletAddress, 'listed'));
    },
  );

  /**
   * Authenticates a request that has an `Authorization` header. Without one everybody gets the public shape. A wrong
   * header is an error and never gets the public shape.
   */
  const authenticateIfAsked = async (request: FastifyRequest) => {
    if (request.headers.authorization !== undefined) await authenticate(request);
  };
  app.get(
    '/incoming-payments/:id',
    {
      preValidation: authenticateIfAsked,
      schema: { params: IdParams, response: { 200: z.union([IncomingPaymentWithMethods, PublicIncomingPayment]) } },
      // The representations are exact already. A union would be tried member by member on each answer.
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const payment = await incomingPayments.find(request.params.id);
      if (request.authenticated === undefined) {
        const walletAddress = payment && (await walletAddresses.byId(payment.walletAddressId));
        if (!payment || !walletAddress) throw new ApiProblem(ABSENT);
        reply.header('last-modified', lastModified(payment));
        return representations.publicIncomingPayment(payment, walletAddress);
      }
      const { row, walletAddress } = await visible(services, callerWith(request, READ), payment, {
        type: 'incoming-payment',
        absent: ABSENT,
      });
      reply.header('last-modified', lastModified(row));
      return await withMethods(row, walletAddress, 'read');
    },
  );

  app.post(
    '/incoming-payments/:id/complete',
    { preValidation: authenticate, schema: { params: IdParams, response: { 200: IncomingPaymentAnswer } } },
    async (request, reply) => {
      const caller = callerWith(request, COMPLETE);
      const payment = await incomingPayments.find(request.params.id);
      const walletAddress = payment && (await walletAddresses.byId(payment.walletAddressId));
      if (!payment || !walletAddress) throw new ApiProblem(ABSENT);
      rightAt(caller, COMPLETE, walletAddresses.urlOf(walletAddress), ABSENT);
      const completed = await incomingPayments.complete(payment.id, caller.client.id);
      if (!completed.ok) throw new ApiProblem(completed.error === 'expired' ? 'incoming_payment_expired' : ABSENT);
      reply.header('last-modified', lastModified(completed.value));
      return representations.incomingPayment(completed.value, walletAddress, 'completed');
    },
  );
}

/**
 * The wallet address that a client means: the one it names, else the one of its right, else the only one
 * (decisions.md#D-15).
 */
async function targetOf(services: ResourceServices, caller: Authenticated, url: string | undefined): Promise<WalletAddress> {
  if (url !== undefined) return await namedWalletAddress(services, url);
  const identifier = caller.access.find(({ type, actions }) => type === CREATE.type && actions.includes(CREATE.action))?.identifier;
  if (identifier !== undefined) return await namedWalletAddress(services, identifier);
  const only = await services.walletAddresses.only();
  if (only === undefined) throw new ApiProblem('no_wallet_address');
  return only;
}
