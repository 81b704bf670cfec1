import { isPaper } from '../../../src-shared/receipts/papers.ts';
import { receiptPageWords } from '../../../src-shared/words/pages/receipt-words.ts';
import { z } from '../../../src-shared/zod.ts';
import type { Core } from '../../platform/core.ts';
import type { Reader } from '../../platform/database/database.ts';
import { RateLimiter } from '../../platform/limits/rate-limiter.ts';
import { receiptLogo } from '../../receipts/pdf/receipt-logo.ts';
import { receiptPdf } from '../../receipts/pdf/receipt-pdf.ts';
import type { Receipts } from '../../receipts/receipts.ts';
import { logoOf } from '../../shop/shop.ts';
import { IdParams } from '../http/id-params.ts';
import { ApiProblem } from '../http/problems.ts';
import type { PublicServer } from '../http/server.ts';
import { wordsPage } from './checkout-html.ts';
import { countedNetwork, FORM, FORMS, PRIVATE, readForm, refuseOtherPages, sendNothing } from './forms.ts';
import { sendHtmlPage } from './html-page.ts';
import { checkPage, damagedReceiptPage, receiptPage } from './receipt-html.ts';
import { visitorsLanguage } from './visitors-language.ts';

interface ReceiptServices extends Pick<Core, 'clock' | 'urls'> {
  receipts: Receipts;
  database: { read: Reader };
  /** How many processes share the limits. Without it there is one. */
  shares?: (() => number) | undefined;
}

/** How many files one network may have made: each takes some milliseconds (decisions.md#D-292). */
const FILES = { perSecond: 1, burst: 20 };

const SecretParams = z.object({ secret: z.string().max(100) });
const PaperQuery = z.object({ paper: z.string().max(20).optional() });
const CheckForm = z.object({ receipt: z.string().max(60_000).default('') });
const Keys = z.object({ keys: z.array(z.record(z.string(), z.string())) });
/** About as many bytes as a new receipt leaves on the disk. */
const RECEIPT_BYTES = 4_000;

/**
 * The receipts that customers see, and the page on which anybody checks one. Whoever has the link of a payment gets its
 * receipt; whoever has the link of a receipt sees that receipt and nothing else.
 */
export function receiptRoutes(app: PublicServer, { receipts, urls, clock, database, shares }: ReceiptServices): void {
  const forms = new RateLimiter(FORMS, clock, shares);
  const files = new RateLimiter(FILES, clock, shares);

  app.post('/pay/:id/receipt', { config: FORM, schema: { params: IdParams } }, async (request, reply) => {
    refuseOtherPages(request, urls.origins);
    countedNetwork(forms, request, { bytes: RECEIPT_BYTES, outbound: 0 });
    const { id } = request.params;
    const issued = await receipts.issue({ kind: 'sale', id });
    if (issued.ok) return await reply.status(303).headers(PRIVATE).header('location', `/receipt/${issued.value.secret}`).send();
    if (issued.error === 'not_found') return sendNothing(request, reply);
    return sendHtmlPage(reply.headers(PRIVATE), 409, () => wordsPage(receiptPageWords.notYet, `/pay/${id}`));
  });

  app.get('/receipt/:secret', { schema: { params: SecretParams, querystring: PaperQuery } }, async (request, reply) => {
    const found = await receipts.bySecret(request.params.secret);
    if (found === undefined) return sendNothing(request, reply);
    const { content, secret, printed } = found;
    if (content === undefined) return sendHtmlPage(reply.headers(PRIVATE), 200, damagedReceiptPage);
    const { paper } = request.query;
    const logo = content.shop.logo !== null && (await logoOf(database.read))?.hash === content.shop.logo;
    const view = { content, secret, link: urls.receipt(secret), isCopy: printed > 0, paper: isPaper(paper) ? paper : 'a4' } as const;
    return sendHtmlPage(reply.headers(PRIVATE), 200, () => receiptPage({ ...view, logo: logo ? `/pay/logo/${content.shop.logo}` : null }));
  });

  app.get('/receipt/:secret/signed', { schema: { params: SecretParams } }, async (request, reply) => {
    const found = await receipts.bySecret(request.params.secret);
    if (found?.content === undefined) throw new ApiProblem('not_found');
    const headers = { ...PRIVATE, 'x-content-type-options': 'nosniff' };
    return await reply.headers(headers).type('text/plain; charset=utf-8').send(found.jws);
  });

  app.get('/receipt/:secret/receipt.pdf', { schema: { params: SecretParams } }, async (request, reply) => {
    const found = await receipts.bySecret(request.params.secret);
    if (found?.content === undefined) return sendNothing(request, reply);
    countedNetwork(files, request, { bytes: 0, outbound: 0 });
    const { content, secret, printed } = found;
    const tag = await visitorsLanguage(request);
    const logo = await receiptLogo(database.read, content.shop.logo);
    const pdf = await receiptPdf({ content, link: urls.receipt(secret), isCopy: printed > 0, logo, paper: 'a4' }, tag);
    const headers = {
      ...PRIVATE,
      'x-content-type-options': 'nosniff',
      'content-disposition': ['attachment', `filename="${content.number}.pdf"`].join('; '),
    };
    return await reply.headers(headers).type('application/pdf').send(pdf);
  });

  app.get('/receipt/jwks.json', { schema: { response: { 200: Keys } } }, () => ({ keys: receipts.jwks.keys.map((key) => ({ ...key })) }));

  app.get('/receipt/check', (_request, reply) => sendHtmlPage(reply.headers(PRIVATE), 200, () => checkPage()));

  app.post('/receipt/check', { config: FORM }, async (request, reply) => {
    refuseOtherPages(request, urls.origins);
    const { receipt } = readForm(request, CheckForm);
    countedNetwork(forms, request, { bytes: 0, outbound: 0 });
    const checked = await receipts.check(receipt);
    return sendHtmlPage(reply.headers(PRIVATE), 200, () => checkPage(checked));
  });
}
