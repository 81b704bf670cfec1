import { jwksOf } from '../access/client-keys/store.ts';
import { authorizationRoutes } from '../open-payments-api/authorization-routes.ts';
import { incomingPaymentRoutes } from '../open-payments-api/incoming-payment-routes.ts';
import { interactionRoutes } from '../open-payments-api/interaction-page.ts';
import { outgoingPaymentRoutes } from '../open-payments-api/outgoing-payment-routes.ts';
import { quoteRoutes } from '../open-payments-api/quote-routes.ts';
import { Representations } from '../open-payments-api/representations.ts';
import type { ResourceServices } from '../open-payments-api/resource-access.ts';
import { createPublicServer } from '../open-payments-api/server.ts';
import { walletAddressRoutes } from '../open-payments-api/wallet-address-routes.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config, Listen } from '../platform/config.ts';
import type { Database } from '../platform/database/database.ts';
import type { Logger } from '../platform/logger.ts';
import type { PublicUrls } from '../platform/public-urls.ts';
import type { AccessServices } from './access.ts';
import type { PaymentServices } from './payments.ts';

interface Parts {
  listen: Listen;
  database: Database;
  clock: Clock;
  log: Logger;
  urls: PublicUrls;
  config: Pick<Config, 'updatedAtInBody'>;
  payments: PaymentServices;
  access: AccessServices;
}

/**
 * Opens the public listener with every route on it.
 * @returns the way to close it: no new requests, those under way are answered.
 */
export async function listenPublicly({
  listen,
  database,
  clock,
  log,
  urls,
  config,
  payments,
  access,
}: Parts): Promise<() => Promise<void>> {
  const app = createPublicServer({ urls, log });
  const services: ResourceServices = {
    ...payments,
    authenticator: access.authenticator,
    database,
    clock,
    urls,
    representations: new Representations(urls, config.updatedAtInBody),
    methods: async (incomingPaymentId, { assetCode, assetScale }) => {
      const { ilpAddress, sharedSecret } = await payments.credentials(incomingPaymentId, { assetCode, assetScale });
      return [{ type: 'ilp', ilpAddress, sharedSecret: sharedSecret.toString('base64url') }];
    },
  };
  authorizationRoutes(app, { urls, ...access });
  interactionRoutes(app, access);
  incomingPaymentRoutes(app, services);
  quoteRoutes(app, services);
  outgoingPaymentRoutes(app, services);
  walletAddressRoutes(app, services, (walletAddressId) => jwksOf(database, walletAddressId));
  app.get('/healthz', () => ({ status: database.stopped === undefined ? 'ok' : 'stopped' }));
  await app.listen({ host: listen.host, port: listen.port });
  return () => app.close();
}
