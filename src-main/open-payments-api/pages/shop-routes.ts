import type { ShopProfile } from '../../../src-shared/shop/shop-profile.ts';
import { checkoutWords } from '../../../src-shared/words/pages/checkout-words.ts';
import { z } from '../../../src-shared/zod.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { PublicUrls } from '../../platform/public-address/public-urls.ts';
import { logoOf, readLogo, readShop } from '../../shop/shop.ts';
import type { WalletAddresses } from '../../wallet-addresses/wallet-addresses.ts';
import { ApiProblem } from '../http/problems.ts';
import type { PublicServer } from '../http/server.ts';
import { wordsPage } from './checkout-html.ts';
import { prefersHtml, sendHtmlPage } from './html-page.ts';
import { type ShownShop, shopPage } from './shop-html.ts';

interface ShopServices {
  database: { read: Reader };
  urls: PublicUrls;
  walletAddresses: Pick<WalletAddresses, 'first'>;
}

const LogoParams = z.object({ hash: z.string() });
/** The most wallet addresses that the first page names. */
const MOST_ADDRESSES = 20;

/** Reads the shop for the pages of visitors. It is undefined for a shop that nobody has named. */
export async function shownShop(reader: Reader): Promise<(ShopProfile & ShownShop) | undefined> {
  const { profile } = await readShop(reader);
  if (profile.name === '') return undefined;
  const logo = await logoOf(reader);
  return { ...profile, logo: logo === undefined ? null : `/pay/logo/${logo.hash}` };
}

/** The first page of the public URL, and the shop's logo. */
export function shopRoutes(app: PublicServer, { database, urls, walletAddresses }: ShopServices): void {
  app.get('/', async (request, reply) => {
    reply.header('vary', 'accept');
    if (!prefersHtml(request.headers.accept)) throw new ApiProblem('not_found');
    const shop = await shownShop(database.read);
    if (shop === undefined) return sendHtmlPage(reply, 404, () => wordsPage(checkoutWords.nothing));
    const listed = shop.showsAddresses ? await walletAddresses.first(MOST_ADDRESSES) : [];
    const addresses = listed.map(({ name, publicName }) => ({ publicName, url: urls.walletAddress(name) }));
    return sendHtmlPage(reply.header('cache-control', 'public, max-age=60'), 200, () => shopPage(shop, addresses));
  });

  // Its address names its content, so a browser asks for it once, and the answer "still the same" reads nothing.
  app.get('/pay/logo/:hash', { schema: { params: LogoParams } }, async (request, reply) => {
    const { hash } = request.params;
    const tag = `"${hash}"`;
    const found = request.headers['if-none-match'] === tag ? await logoOf(database.read) : await readLogo(database.read);
    if (found?.hash !== hash) throw new ApiProblem('not_found');
    reply.headers({ etag: tag, 'cache-control': 'public, max-age=31536000, immutable' });
    if (!('bytes' in found)) return await reply.status(304).send();
    const safe = { 'content-security-policy': "default-src 'none'; sandbox", 'x-content-type-options': 'nosniff' };
    return await reply.headers(safe).type(found.type).send(found.bytes);
  });
}
