import { RESERVED_NAMES } from '../../../src-shared/wallet-address-names.ts';
import { checkoutWords } from '../../../src-shared/words/pages/checkout-words.ts';
import { z } from '../../../src-shared/zod.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { ApiProblem } from '../http/problems.ts';
import type { PublicServer } from '../http/server.ts';
import { wordsPage } from '../pages/checkout-html.ts';
import { prefersHtml, sendHtmlPage } from '../pages/html-page.ts';
import { shownShop } from '../pages/shop-routes.ts';
import { walletAddressPage } from '../pages/wallet-address-html.ts';
import type { ResourceServices } from './resource-access.ts';
import { WalletAddressAnswer } from './resource-schemas.ts';

const NameParams = z.object({ name: z.string() });
const Jwks = z.object({ keys: z.array(z.record(z.string(), z.unknown())) });

/** Reads the public keys with which clients sign in the name of a wallet address. */
type PublishedKeys = (walletAddressId: string) => Promise<{ keys: Record<string, unknown>[] }>;

/** The routes of wallet addresses and their keys (protocol-notes.md#PN-26). */
export function walletAddressRoutes(app: PublicServer, services: ResourceServices, publishedKeys: PublishedKeys): void {
  const found = async (name: string): Promise<WalletAddress | undefined> =>
    RESERVED_NAMES.has(name) ? undefined : await services.walletAddresses.byName(name);
  const find = async (name: string): Promise<WalletAddress> => {
    const walletAddress = await found(name);
    if (walletAddress === undefined) throw new ApiProblem('not_found');
    return walletAddress;
  };

  app.get('/:name', { schema: { params: NameParams, response: { 200: WalletAddressAnswer } } }, async (request, reply) => {
    const isPerson = prefersHtml(request.headers.accept);
    reply.header('vary', 'accept');
    const walletAddress = await found(request.params.name);
    if (walletAddress === undefined && isPerson) return sendHtmlPage(reply, 404, () => wordsPage(checkoutWords.nothing));
    if (walletAddress === undefined) throw new ApiProblem('not_found');
    reply.header('cache-control', 'public, max-age=60');
    if (isPerson) {
      const shop = await shownShop(services.database.read);
      return sendHtmlPage(reply, 200, () => walletAddressPage(walletAddress, services.walletAddresses.urlOf(walletAddress), shop));
    }
    return services.representations.walletAddress(walletAddress, request.headers.host);
  });

  app.get('/:name/jwks.json', { schema: { params: NameParams, response: { 200: Jwks } } }, async (request) => {
    const walletAddress = await find(request.params.name);
    return await publishedKeys(walletAddress.id);
  });
}
