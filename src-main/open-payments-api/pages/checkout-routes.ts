import type { FastifyRequest } from 'fastify';
import { type Asset, MAX_MOVED } from '../../../src-shared/amounts.ts';
import { incomingStatus, takesMoney } from '../../../src-shared/incoming-status.ts';
import { typedAmount } from '../../../src-shared/typed-input/typed-amount.ts';
import { RESERVED_NAMES } from '../../../src-shared/wallet-address-names.ts';
import { checkoutWords } from '../../../src-shared/words/pages/checkout-words.ts';
import { z } from '../../../src-shared/zod.ts';
import type { Checkouts } from '../../checkout/checkouts.ts';
import type { PaymentWatch } from '../../checkout/payment-watch.ts';
import { type IncomingPayment, type IncomingPayments, incomingFacts } from '../../payments/incoming/incoming-payments.ts';
import type { Core } from '../../platform/core.ts';
import type { Reader } from '../../platform/database/database.ts';
import { newSecret } from '../../platform/ids.ts';
import { RateLimiter } from '../../platform/limits/rate-limiter.ts';
import type { WalletAddresses } from '../../wallet-addresses/wallet-addresses.ts';
import { IdParams } from '../http/id-params.ts';
import { ApiProblem } from '../http/problems.ts';
import { longPoll } from '../http/rate-limits.ts';
import type { PublicServer } from '../http/server.ts';
import { type CheckoutView, checkoutPage, goPage, noAmountPage, wordsPage } from './checkout-html.ts';
import { countedNetwork, FORM, FORMS, PRIVATE, readForm, refuseOtherPages, sendNothing } from './forms.ts';
import { sendHtmlPage } from './html-page.ts';
import { PageCodes } from './page-codes.ts';
import { rememberedWallet, walletCookie } from './remembered-wallet.ts';
import { shownShop } from './shop-routes.ts';
import { visitorCookie, visitorOf } from './visitor-cookie.ts';
import { visitorsLanguage } from './visitors-language.ts';

/** The services that the pages for paying use. */
interface CheckoutServices extends Pick<Core, 'clock' | 'urls'> {
  incomingPayments: IncomingPayments;
  walletAddresses: WalletAddresses;
  database: { read: Reader };
  checkouts: Checkouts;
  watch: PaymentWatch;
  /** The number of processes that share the limits. Without it there is one. */
  shares?: (() => number) | undefined;
}

const AttemptParams = IdParams.extend({ attempt: z.string() });
const Seen = z.object({ seen: z.string().max(200).default('') });
const ReturnQueryString = z.object({
  hash: z.string().max(200).optional(),
  interact_ref: z.string().max(1024).optional(),
  result: z.string().max(100).optional(),
});
const StateAnswer = z.object({ tag: z.string() });
const typed = (longest: number) => z.string().trim().max(longest).default('');
const PayForm = z.object({ wallet: typed(2048), amount: typed(40), remember: typed(10) });
const NewPaymentForm = z.object({ account: typed(64), amount: typed(40) });

/** How long the node holds a page's question open. Proxies and browsers wait longer before they give up. */
const HOLD_MS = 25_000;
/** How long a visitor can pay a payment that they began at a wallet address. */
const VISITORS_PAYMENT_MS = 60 * 60_000;
/** About as many bytes as a form leaves on the disk, and how many requests to others it causes. */
const FORM_COST = { bytes: 5_000, outbound: 6 };

/** The operator keeps nothing for the payer of an app's payment. */
const NOTHING_TOLD = { cancelReason: null, dueAt: null, returnUrl: null, bill: undefined };

/** Gathers what the page of an incoming payment shows to one visitor. */
function viewer({ incomingPayments, walletAddresses, urls, checkouts, clock, database }: CheckoutServices) {
  /** The standing of the payment. A page that waits asks for this alone, again and again. */
  const standingOf = async (id: string, visitor: string | undefined) => {
    const payment = await incomingPayments.find(id);
    const account = payment && (await walletAddresses.byId(payment.walletAddressId));
    if (payment === undefined || account === undefined) return undefined;
    const attempt = await checkouts.attemptOf(id, visitor);
    const { status, isOpen } = standing(payment, clock.now());
    const tag = [status, isOpen, payment.received, attempt?.id ?? '', attempt?.state ?? ''].join('-');
    return { payment, status, isOpen, account, attempt, tag };
  };
  const viewOf = async (id: string, visitor: string | undefined): Promise<CheckoutView | undefined> => {
    const stands = await standingOf(id, visitor);
    if (stands === undefined) return undefined;
    const { payment, account } = stands;
    const shop = await shownShop(database.read);
    const told = payment.client === null ? await incomingPayments.toldPayer(id) : NOTHING_TOLD;
    return { ...stands, ...told, shop, walletAddress: urls.walletAddress(account.name) };
  };
  return { standingOf, viewOf };
}

/** `/pay`: the pages on which people see and pay an incoming payment (decisions.md#D-01). */
export function checkoutRoutes(app: PublicServer, services: CheckoutServices): void {
  const { incomingPayments, walletAddresses, urls, checkouts, watch, clock } = services;
  const forms = new RateLimiter(FORMS, clock, services.shares);
  const { standingOf, viewOf } = viewer(services);

  app.get('/pay/:id', { schema: { params: IdParams } }, async (request, reply) => {
    const view = await viewOf(request.params.id, visitorOf(request, COOKIE));
    if (view === undefined) return sendNothing(request, reply);
    return sendHtmlPage(reply.headers(PRIVATE), 200, () => checkoutPage({ ...view, remembered: rememberedWallet(request) }));
  });

  codeRoute(app, services);

  app.get(
    '/pay/:id/state',
    { exposeHeadRoute: false, config: { waits: true }, schema: { params: IdParams, querystring: Seen, response: { 200: StateAnswer } } },
    async (request, reply) => {
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const reading = longPoll(request);
      const tag = () => reading(async () => (await standingOf(request.params.id, visitorOf(request, COOKIE)))?.tag);
      const found = await watch.until(tag, request.query.seen, HOLD_MS, gone.signal);
      if (found === undefined) throw new ApiProblem('not_found');
      reply.headers(PRIVATE);
      return { tag: found };
    },
  );

  app.get('/pay/:id/go/:attempt', { exposeHeadRoute: false, schema: { params: AttemptParams } }, async (request, reply) => {
    const { id, attempt } = request.params;
    const approval = await checkouts.approvalOf(attempt, visitorOf(request, COOKIE));
    if (approval === undefined) return await reply.status(303).headers(PRIVATE).header('location', `/pay/${id}`).send();
    return sendHtmlPage(reply.headers(PRIVATE), 200, () => goPage(approval, `/pay/${id}`));
  });

  app.get(
    '/pay/:id/return/:attempt',
    { exposeHeadRoute: false, schema: { params: AttemptParams, querystring: ReturnQueryString } },
    async (request, reply) => {
      const { id, attempt } = request.params;
      if (await checkouts.comeBack(attempt, visitorOf(request, COOKIE), request.query))
        return await reply.status(303).headers(PRIVATE).header('location', `/pay/${id}`).send();
      return sendHtmlPage(reply.headers(PRIVATE), 400, () => wordsPage(checkoutWords.stranger, `/pay/${id}`));
    },
  );

  app.post('/pay/:id', { config: FORM, schema: { params: IdParams } }, async (request, reply) => {
    const { id } = request.params;
    refuseOtherPages(request, urls.origins);
    const { wallet, amount, remember } = readForm(request, PayForm);
    const visitor = visitorOf(request, COOKIE) ?? newSecret();
    const view = await viewOf(id, visitor);
    if (view === undefined) return sendNothing(request, reply);
    const [network, value] = [countedNetwork(forms, request, FORM_COST), await visitorsAmount(request, amount, view.account)];
    const started = await checkouts.start({ incomingPaymentId: id, wallet, amount: value, visitor, network });
    reply.headers({ ...PRIVATE, 'set-cookie': visitorCookie(COOKIE, visitor, { path: `/pay/${id}`, origin: urls.origin }) });
    const keeps = remember !== '';
    if (started.ok && (keeps || rememberedWallet(request) !== undefined))
      reply.header('set-cookie', walletCookie(keeps ? wallet : '', urls.origin));
    if (started.ok) return await reply.status(303).header('location', `/pay/${id}/go/${started.value}`).send();
    const again = (await viewOf(id, visitor)) ?? view;
    return sendHtmlPage(reply, 200, () => checkoutPage({ ...again, tried: { wallet, amount, remember: keeps, problem: started.error } }));
  });

  app.post('/pay', { config: FORM }, async (request, reply) => {
    refuseOtherPages(request, urls.origins);
    const { account, amount } = readForm(request, NewPaymentForm);
    const walletAddress = RESERVED_NAMES.has(account) ? undefined : await walletAddresses.byName(account);
    if (walletAddress === undefined) return sendNothing(request, reply);
    countedNetwork(forms, request, FORM_COST);
    const { assetCode, assetScale } = walletAddress;
    const [url, value] = [urls.walletAddress(account), await visitorsAmount(request, amount, walletAddress)];
    if (value === undefined || value <= 0n || value > MAX_MOVED)
      return sendHtmlPage(reply.headers(PRIVATE), 200, () => noAmountPage(walletAddress, url));
    const incomingAmount = { value, assetCode, assetScale };
    const full = await app.rateLimits?.refuseThing(request);
    if (full !== undefined) throw full;
    const expiresAt = clock.now() + VISITORS_PAYMENT_MS;
    const created = await incomingPayments.create({ walletAddress, client: url, incomingAmount, expiresAt });
    if (!created.ok) throw new Error(`a visitor's payment was refused: ${created.error}`);
    await app.rateLimits?.noteThing(request, created.value.id);
    return await reply.status(303).headers(PRIVATE).header('location', `/pay/${created.value.id}`).send();
  });
}

/**
 * The picture with the address of a payment's page. A person who sees the page on a screen reads it with their phone.
 */
function codeRoute(app: PublicServer, { incomingPayments, urls }: Pick<CheckoutServices, 'incomingPayments' | 'urls'>): void {
  const codes = new PageCodes();
  app.get('/pay/:id/code.svg', { exposeHeadRoute: false, schema: { params: IdParams } }, async (request, reply) => {
    const { id } = request.params;
    if ((await incomingPayments.find(id)) === undefined) throw new ApiProblem('not_found');
    return reply
      .headers({ ...PRIVATE, 'cache-control': 'private, max-age=86400', 'content-security-policy': "default-src 'none'" })
      .type('image/svg+xml; charset=utf-8')
      .send(codes.of(urls.checkout(id)));
  });
}

/** The standing of a payment at the moment `now`, in milliseconds since the Unix epoch. */
function standing(payment: IncomingPayment, now: number): Pick<CheckoutView, 'status' | 'isOpen'> {
  const facts = incomingFacts(payment);
  return { status: incomingStatus(facts, now), isOpen: takesMoney(facts, now) };
}

/** The amount that a visitor typed, in the language in which they see the page. */
const visitorsAmount = async (request: FastifyRequest, text: string, asset: Asset): Promise<bigint | undefined> =>
  typedAmount(text, asset, await visitorsLanguage(request));

const COOKIE = 'paydesk-visitor';
