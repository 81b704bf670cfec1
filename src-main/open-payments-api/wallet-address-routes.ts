import { z } from 'zod';
import { RESERVED_NAMES } from '../../src-shared/wallet-address-names.ts';
import type { WalletAddress } from '../payments/wallet-addresses.ts';
import { escapeHtml, type HtmlPage, sendHtmlPage } from './html-page.ts';
import { ApiProblem } from './problems.ts';
import type { ResourceServices } from './resource-access.ts';
import { WalletAddressAnswer } from './resource-schemas.ts';
import type { PublicServer } from './server.ts';

const NameParams = z.object({ name: z.string() });
const Jwks = z.object({ keys: z.array(z.record(z.string(), z.unknown())) });

/** Publishes the public keys with which clients sign in the name of a wallet address. */
export type PublishedKeys = (walletAddressId: string) => Promise<{ keys: Record<string, unknown>[] }>;

/** Wallet addresses and their keys (facts §8). */
export function walletAddressRoutes(app: PublicServer, services: ResourceServices, publishedKeys: PublishedKeys): void {
  const find = async (name: string): Promise<WalletAddress> => {
    const walletAddress = RESERVED_NAMES.has(name) ? undefined : await services.walletAddresses.byName(name);
    if (walletAddress === undefined) throw new ApiProblem('not_found');
    return walletAddress;
  };

  app.get('/:name', { schema: { params: NameParams, response: { 200: WalletAddressAnswer } } }, async (request, reply) => {
    const walletAddress = await find(request.params.name);
    reply.headers({ 'cache-control': 'public, max-age=60', vary: 'accept' });
    if (prefersHtml(request.headers.accept))
      return sendHtmlPage(reply, 200, pageFor(walletAddress, services.walletAddresses.urlOf(walletAddress)));
    return services.representations.walletAddress(walletAddress);
  });

  app.get('/:name/jwks.json', { schema: { params: NameParams, response: { 200: Jwks } } }, async (request) => {
    const walletAddress = await find(request.params.name);
    return await publishedKeys(walletAddress.id);
  });
}

/** Browsers name `text/html` first; clients ask for JSON or anything. */
const prefersHtml = (accept: string | undefined): boolean => accept?.trimStart().startsWith('text/html') ?? false;

/** What a person sees who opens a wallet address in a browser: nothing that clients would not get. */
const pageFor = ({ publicName, assetCode }: WalletAddress, url: string): HtmlPage => ({
  title: escapeHtml(publicName),
  body: `
    <h1><bdi>${escapeHtml(publicName)}</bdi></h1>
    <p>This is a wallet address. Give it to an app or a wallet that can pay with Open Payments:</p>
    <p class="address">${escapeHtml(url)}</p>
    <p class="quiet">Payments arrive in ${escapeHtml(assetCode)}.</p>`,
});
