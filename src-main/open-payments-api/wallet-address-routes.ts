import { z } from 'zod';
import { RESERVED_NAMES } from '../../src-shared/wallet-address-names.ts';
import type { WalletAddress } from '../payments/wallet-addresses.ts';
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
    reply.header('cache-control', 'public, max-age=60');
    return services.representations.walletAddress(walletAddress);
  });

  app.get('/:name/jwks.json', { schema: { params: NameParams, response: { 200: Jwks } } }, async (request) => {
    const walletAddress = await find(request.params.name);
    return await publishedKeys(walletAddress.id);
  });
}
