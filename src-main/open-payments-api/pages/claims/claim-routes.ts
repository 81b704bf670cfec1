import { claimWords } from '../../../../src-shared/words/pages/claim-words.ts';
import { z } from '../../../../src-shared/zod.ts';
import type { ClaimVisits } from '../../../payments/claims/claim-visits.ts';
import type { Core } from '../../../platform/core.ts';
import type { Reader } from '../../../platform/database/database.ts';
import { newSecret } from '../../../platform/ids.ts';
import { RateLimiter } from '../../../platform/limits/rate-limiter.ts';
import type { PublicServer } from '../../http/server.ts';
import { wordsPage } from '../checkout-html.ts';
import { countedNetwork, FORM, FORMS, PRIVATE, readForm, refuseOtherPages, sendNothing } from '../forms.ts';
import { sendHtmlPage } from '../html-page.ts';
import { shownShop } from '../shop-routes.ts';
import { visitorCookie, visitorOf } from '../visitor-cookie.ts';
import { type ClaimTried, claimGoPage, claimPage } from './claim-html.ts';

/** Ties a browser to the wallets that it has named. */
const COOKIE = 'paydesk-claimant';

interface ClaimServices extends Pick<Core, 'clock' | 'urls'> {
  claims: { visits: ClaimVisits };
  database: { read: Reader };
  /** How many processes share the limits. Without it there is one. */
  shares?: (() => number) | undefined;
}

const SecretParams = z.object({ secret: z.string().max(100) });
const TryParams = z.object({ id: z.string().max(100) });
const ReturnQueryString = z.object({
  hash: z.string().max(200).optional(),
  interact_ref: z.string().max(1024).optional(),
  result: z.string().max(100).optional(),
});
const ClaimForm = z.object({ wallet: z.string().trim().max(2048).default(''), decide: z.string().max(10).optional() });

/** About as many bytes as a form leaves on the disk, and how many requests to others it causes. */
const FORM_COST = { bytes: 5_000, outbound: 6 };

/**
 * `/claim`: the page on which a customer names the wallet to which money goes back (decisions.md#D-268). A wallet that
 * is asked hears of no link: it sends the browser to an address of its own, and the browser's cookie leads back.
 */
export function claimRoutes(app: PublicServer, { claims: { visits }, urls, clock, database, shares }: ClaimServices): void {
  const forms = new RateLimiter(FORMS, clock, shares);

  const viewOf = async (secret: string, visitor: string | undefined, tried?: ClaimTried) => {
    const stands = await visits.standing(secret, visitor);
    return stands && { ...stands, secret, shop: await shownShop(database.read), tried };
  };

  app.get('/claim/:secret', { schema: { params: SecretParams } }, async (request, reply) => {
    const view = await viewOf(request.params.secret, visitorOf(request, COOKIE));
    if (view === undefined) return sendNothing(request, reply);
    return sendHtmlPage(reply.headers(PRIVATE), 200, () => claimPage(view));
  });

  app.post('/claim/:secret', { config: FORM, schema: { params: SecretParams } }, async (request, reply) => {
    const { secret } = request.params;
    refuseOtherPages(request, urls.origins);
    const { wallet, decide } = readForm(request, ClaimForm);
    const visitor = visitorOf(request, COOKIE) ?? newSecret();
    if ((await visits.standing(secret, visitor)) === undefined) return sendNothing(request, reply);
    const network = countedNetwork(forms, request, FORM_COST);
    reply.headers({ ...PRIVATE, 'set-cookie': visitorCookie(COOKIE, visitor, { path: '/claim', origin: urls.origin }) });
    if (decide !== undefined) {
      await visits.askShop(secret, visitor);
      return await reply.status(303).header('location', `/claim/${secret}`).send();
    }
    const named = await visits.name({ secret, wallet, visitor, network });
    if (named.ok) {
      const { go } = named.value;
      return await reply
        .status(303)
        .header('location', go === null ? `/claim/${secret}` : `/claim/go/${go}`)
        .send();
    }
    const again = await viewOf(secret, visitor, { wallet, problem: named.error });
    return again === undefined ? sendNothing(request, reply) : sendHtmlPage(reply, 200, () => claimPage(again));
  });

  app.get('/claim/go/:id', { exposeHeadRoute: false, schema: { params: TryParams } }, async (request, reply) => {
    const approval = await visits.approvalOf(request.params.id, visitorOf(request, COOKIE));
    if (approval === undefined) return sendNothing(request, reply);
    return sendHtmlPage(reply.headers(PRIVATE), 200, () => claimGoPage(approval));
  });

  app.get(
    '/claim/back/:id',
    { exposeHeadRoute: false, schema: { params: TryParams, querystring: ReturnQueryString } },
    async (request, reply) => {
      const back = await visits.comeBack(request.params.id, visitorOf(request, COOKIE), request.query);
      if (back?.isGood) return await reply.status(303).headers(PRIVATE).header('location', `/claim/${back.secret}`).send();
      return sendHtmlPage(reply.headers(PRIVATE), 400, () =>
        wordsPage(claimWords.stranger, back && `/claim/${back.secret}`, claimWords.back),
      );
    },
  );
}
