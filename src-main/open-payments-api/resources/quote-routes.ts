import { toDecimal } from '../../../src-shared/amounts.ts';
import type { Quote, QuoteProblem } from '../../payments/quotes/quotes.ts';
import { requireAuthentication } from '../http/authenticate-request.ts';
import { IdParams } from '../http/id-params.ts';
import { ApiProblem, type Condition } from '../http/problems.ts';
import type { PublicServer } from '../http/server.ts';
import { lastModified, readAmount, wireAmount } from './representations.ts';
import { callerWith, namedWalletAddress, type ResourceServices, rightAt, visible } from './resource-access.ts';
import { QuoteAnswer, QuoteRequest } from './resource-schemas.ts';

const CREATE = { type: 'quote', action: 'create' } as const;
/** About as many bytes as a quote takes on the disk with its indexes. */
const QUOTE_BYTES = 1_500;
/**
 * The node reads a receiver elsewhere, asks for a grant, and reads it again. It keeps the grant: two URLs of up to
 * 2,048 characters, one of them twice, and a token, which takes up to 14,500 bytes in whole pages.
 */
const LOOK_UP = { outbound: 4, bytes: 16_000 };

/**
 * A receiver that does not exist and one that is closed get the same answer, so that clients do not learn which ones
 * exist.
 */
const CONDITIONS: Record<QuoteProblem['code'], Condition> = {
  invalid_amount: 'invalid_amount',
  amount_too_large: 'amount_too_large',
  too_small: 'too_small',
  no_rate: 'no_rate',
  rate_stale: 'rate_stale',
  no_liquidity: 'no_liquidity',
  no_route: 'no_route',
  route_unreachable: 'route_unreachable',
  unknown_receiver: 'invalid_receiver',
  receiver_closed: 'invalid_receiver',
  receiver_unreachable: 'receiver_unreachable',
  receiver_refused: 'receiver_refused',
  receiver_busy: 'receiver_busy',
};

/** Why a payment has no price. It also serves outgoing payments that are created without a quote. */
export function quoteProblem(problem: QuoteProblem): ApiProblem {
  if (problem.code !== 'too_small') return new ApiProblem(CONDITIONS[problem.code]);
  const { value, assetCode, assetScale } = problem.minSendAmount;
  return new ApiProblem('too_small', {
    words: `non-positive receive amount: the smallest amount that can be sent is ${toDecimal(value, assetScale)} ${assetCode}`,
    details: { minSendAmount: wireAmount(value, problem.minSendAmount) },
  });
}

/** A quote never changes after it was made. */
const modified = ({ createdAt }: Quote): string => lastModified({ updatedAt: createdAt });

/** The routes of `/quotes`. */
export function quoteRoutes(app: PublicServer, services: ResourceServices): void {
  const { representations, quotes, walletAddresses } = services;
  const authenticate = requireAuthentication(services.authenticator, services.urls);

  app.post(
    '/quotes',
    {
      config: { stores: QUOTE_BYTES, leavesThings: true },
      preValidation: authenticate,
      schema: { body: QuoteRequest, response: { 201: QuoteAnswer } },
    },
    async (request, reply) => {
      const caller = callerWith(request, CREATE);
      const { walletAddress: url, receiver, debitAmount, receiveAmount } = request.body;
      const walletAddress = await namedWalletAddress(services, url);
      rightAt(caller, CREATE, walletAddresses.urlOf(walletAddress), 'unknown_wallet_address');
      if (services.urls.parse(receiver) === undefined) {
        const refusal = app.rateLimits?.refuseCost(request, LOOK_UP, receiver);
        if (refusal !== undefined) throw refusal;
      }
      const quote = await quotes.create({
        walletAddress,
        client: caller.client.id,
        marks: caller.marks,
        receiver,
        debitAmount: debitAmount && readAmount(debitAmount),
        receiveAmount: receiveAmount && readAmount(receiveAmount),
      });
      if (!quote.ok) throw quoteProblem(quote.error);
      await app.rateLimits?.noteThing(request, quote.value.id);
      reply.status(201).header('last-modified', modified(quote.value));
      return representations.quote(quote.value, walletAddress);
    },
  );

  app.get(
    '/quotes/:id',
    { preValidation: authenticate, schema: { params: IdParams, response: { 200: QuoteAnswer } } },
    async (request, reply) => {
      const caller = callerWith(request, { type: 'quote', action: 'read' });
      const found = await quotes.find(request.params.id);
      const { row, walletAddress } = await visible(services, caller, found, { type: 'quote', absent: 'quote_not_found' });
      reply.header('last-modified', modified(row));
      return representations.quote(row, walletAddress);
    },
  );
}
