import { spent } from '../../access/grants/spending-limits.ts';
import type { OutgoingPaymentProblem } from '../../payments/outgoing/funding.ts';
import type { PublicUrls } from '../../platform/public-address/public-urls.ts';
import { requireAuthentication } from '../http/authenticate-request.ts';
import { IdParams } from '../http/id-params.ts';
import { ApiProblem } from '../http/problems.ts';
import type { PublicServer } from '../http/server.ts';
import { quoteProblem } from './quote-routes.ts';
import { lastModified, pageOf, readAmount, wireAmount } from './representations.ts';
import { callerWith, listRequest, namedWalletAddress, type ResourceServices, rightAt, visible } from './resource-access.ts';
import { ListQuery, OutgoingPaymentAnswer, OutgoingPaymentRequest, pageAnswer, SpentAnswer } from './resource-schemas.ts';

const CREATE = { type: 'outgoing-payment', action: 'create' } as const;

/** The routes of `/outgoing-payments` and of `/outgoing-payment-grant` (protocol-notes.md#PN-25). */
export function outgoingPaymentRoutes(app: PublicServer, services: ResourceServices): void {
  const { representations, outgoingPayments, walletAddresses, urls } = services;
  const authenticate = requireAuthentication(services.authenticator, urls);

  app.post(
    '/outgoing-payments',
    { preValidation: authenticate, schema: { body: OutgoingPaymentRequest, response: { 201: OutgoingPaymentAnswer } } },
    async (request, reply) => {
      const caller = callerWith(request, CREATE);
      const { body } = request;
      const walletAddress = await namedWalletAddress(services, body.walletAddress);
      const { right } = rightAt(caller, CREATE, walletAddresses.urlOf(walletAddress), 'unknown_wallet_address');
      const common = {
        walletAddress,
        right: { client: caller.client.id, grantId: caller.grantId, limits: right.limits },
        metadata: body.metadata,
        marks: caller.marks,
      };
      const created =
        'quoteId' in body
          ? await outgoingPayments.createFromQuote({ ...common, quoteId: quoteIdOf(body.quoteId, urls) })
          : await outgoingPayments.createFromIncomingPayment({
              ...common,
              incomingPayment: body.incomingPayment,
              debitAmount: readAmount(body.debitAmount),
            });
      if (!created.ok) throw problemOf(created.error, urls);
      reply.status(201).header('last-modified', lastModified(created.value));
      return representations.outgoingPayment(created.value, walletAddress, 'created');
    },
  );

  app.get(
    '/outgoing-payments',
    { preValidation: authenticate, schema: { querystring: ListQuery, response: { 200: pageAnswer(OutgoingPaymentAnswer) } } },
    async (request) => {
      const { walletAddress, list } = await listRequest(services, request, request.query, 'outgoing-payment');
      const page = await outgoingPayments.list(list);
      if (!page.ok) throw new ApiProblem(page.error);
      return pageOf(page.value, (payment) => representations.outgoingPayment(payment, walletAddress, 'listed'));
    },
  );

  app.get(
    '/outgoing-payments/:id',
    { preValidation: authenticate, schema: { params: IdParams, response: { 200: OutgoingPaymentAnswer } } },
    async (request, reply) => {
      const caller = callerWith(request, { type: 'outgoing-payment', action: 'read' });
      const found = await outgoingPayments.find(request.params.id);
      const { row, walletAddress } = await visible(services, caller, found, {
        type: 'outgoing-payment',
        absent: 'outgoing_payment_not_found',
      });
      reply.header('last-modified', lastModified(row));
      return representations.outgoingPayment(row, walletAddress, 'read');
    },
  );

  app.get('/outgoing-payment-grant', { preValidation: authenticate, schema: { response: { 200: SpentAnswer } } }, async (request) => {
    const caller = callerWith(request, CREATE);
    const right = caller.access.find(({ type, actions }) => type === CREATE.type && actions.includes(CREATE.action));
    const { debit, receive } = await spent(services.database.read, { id: caller.grantId, limits: right?.limits }, services.clock.now());
    return {
      spentDebitAmount: debit === undefined ? null : wireAmount(debit.value, debit),
      spentReceiveAmount: receive === undefined ? null : wireAmount(receive.value, receive),
    };
  });
}

/** @returns the id in an own quote URL. It is undefined for any other URL, which names no quote of this node. */
function quoteIdOf(url: string, urls: PublicUrls): string {
  const own = urls.parse(url);
  if (own?.kind !== 'quote') throw new ApiProblem('unknown_quote');
  return own.id;
}

function problemOf(problem: OutgoingPaymentProblem, urls: PublicUrls): ApiProblem {
  switch (problem.code) {
    case 'unknown_quote':
    case 'insufficient_balance':
      return new ApiProblem(problem.code);
    case 'quote_used':
      return new ApiProblem('invalid_quote', { details: { outgoingPayment: urls.outgoingPayment(problem.outgoingPaymentId) } });
    case 'quote_expired':
    case 'quote_of_other_wallet_address':
      return new ApiProblem('invalid_quote');
    case 'grant_ended':
      return new ApiProblem('invalid_token');
    case 'over_limit':
    case 'receiver_not_allowed':
    case 'outside_interval':
    case 'asset_mismatch':
      return new ApiProblem('over_limit');
    default:
      return quoteProblem(problem);
  }
}
