import { Server } from 'node:tls';
import type { FastifyRequest } from 'fastify';
import { jwksOf } from '../access/client-keys/store.ts';
import type { AuditBook } from '../audit/audit-book.ts';
import { authorizationRoutes } from '../open-payments-api/authorization/authorization-routes.ts';
import { openApiRoute } from '../open-payments-api/description/openapi-route.ts';
import { ilpRoute } from '../open-payments-api/http/ilp-route.ts';
import type { ListenerTimeouts } from '../open-payments-api/http/listener.ts';
import { Pressure } from '../open-payments-api/http/pressure.ts';
import { ApiProblem } from '../open-payments-api/http/problems.ts';
import { type PressureGate, RateLimits } from '../open-payments-api/http/rate-limits.ts';
import { createPublicServer, type PublicServer } from '../open-payments-api/http/server.ts';
import { checkoutRoutes } from '../open-payments-api/pages/checkout-routes.ts';
import { claimRoutes } from '../open-payments-api/pages/claims/claim-routes.ts';
import { interactionRoutes } from '../open-payments-api/pages/interaction-page.ts';
import { receiptRoutes } from '../open-payments-api/pages/receipt-routes.ts';
import { refusalPage } from '../open-payments-api/pages/refusal-page.ts';
import { shopRoutes } from '../open-payments-api/pages/shop-routes.ts';
import { peeringRoutes } from '../open-payments-api/peering/peering-routes.ts';
import { incomingPaymentRoutes } from '../open-payments-api/resources/incoming-payment-routes.ts';
import { outgoingPaymentRoutes } from '../open-payments-api/resources/outgoing-payment-routes.ts';
import { quoteRoutes } from '../open-payments-api/resources/quote-routes.ts';
import { Representations } from '../open-payments-api/resources/representations.ts';
import type { ResourceServices } from '../open-payments-api/resources/resource-access.ts';
import { HealthAnswer, ReadyAnswer } from '../open-payments-api/resources/resource-schemas.ts';
import { walletAddressRoutes } from '../open-payments-api/resources/wallet-address-routes.ts';
import type { Core } from '../platform/core.ts';
import { capsWithin, hearOnly } from '../platform/limits/connections.ts';
import { FILES_NEEDED } from '../platform/open-files.ts';
import type { Refusals } from '../platform/overload/refusals.ts';
import type { HeldPort } from '../platform/public-address/held-port.ts';
import type { TlsCertificate } from '../platform/public-address/tls-certificate.ts';
import { type Config, isLoopback, type Listen } from '../platform/settings/config.ts';
import type { AccessServices } from './access.ts';
import type { CheckoutAssembly } from './checkout.ts';
import type { PaymentServices } from './payments.ts';

/** The parts that the public API needs. */
interface PublicApiParts extends Pick<Core, 'database' | 'clock' | 'log' | 'urls'> {
  config: Pick<Config, 'updatedAtInBody' | 'addressRate' | 'clientRate' | 'trustedProxies'>;
  payments: PaymentServices;
  checkout: CheckoutAssembly;
  /** The damage in the books. */
  audit: Pick<AuditBook, 'damages'>;
  access: Omit<AccessServices, 'stop'>;
  /** The server's own timeouts apply when it is undefined. */
  timeouts?: ListenerTimeouts;
  /** The API is served over plain http when it is undefined. */
  certificate?: TlsCertificate | undefined;
  /** The number of files that the system lets this process have open; see {@link openFilesLimit}. */
  openFiles?: number | undefined;
  /** The gate that refuses while the node has too much to do. Without it nothing is refused for that reason. */
  pressure?: PressureGate;
  /** Notes each request that the node refuses because it has too much to do. */
  refusals?: Refusals | undefined;
  /** The reason why this process should get no requests now. Without it only the books decide. */
  unfit?: (() => string | undefined) | undefined;
  /** The number of processes that share the limits. Without it there is one. */
  shares?: (() => number) | undefined;
  /** Adds the pages and operations of paired tills. Without it there are none. */
  serveTills?: ((app: PublicServer, welcome: (request: FastifyRequest, tillId: string) => void) => void) | undefined;
  /** Waits before a stranger hears that it is refused. It waits a second when this is undefined. */
  holdBack?: () => Promise<unknown>;
}

/** Creates the public API with all its routes. The server does not listen yet. */
export function createPublicApi({
  database,
  clock,
  log,
  urls,
  config,
  payments,
  checkout,
  access,
  audit,
  timeouts,
  certificate,
  openFiles = FILES_NEEDED,
  pressure,
  refusals,
  holdBack,
  unfit,
  shares,
  serveTills,
}: PublicApiParts): PublicServer {
  const limits = new RateLimits(
    { perAddress: config.addressRate, perClient: config.clientRate },
    {
      clock,
      rows: access.strangerRows,
      tierOf: (client) => access.tiers.tierOf(client),
      ...(pressure && { pressure }),
      refusals,
      shares,
      ...(holdBack && { holdBack }),
    },
  );
  const { trustedProxies } = config;
  const tls = certificate?.context;
  const app = createPublicServer({ urls, log, limits, timeouts, caps: capsWithin(openFiles), trustedProxies, tls, refusalPage });
  const services = {
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
  } satisfies ResourceServices & PaymentServices;
  authorizationRoutes(app, { urls, ...access, payees: payments.payees });
  interactionRoutes(app, access);
  incomingPaymentRoutes(app, services);
  quoteRoutes(app, services);
  outgoingPaymentRoutes(app, services);
  ilpRoute(app, { ...payments.peers, clock, log });
  peeringRoutes(app, payments.peers);
  shopRoutes(app, services);
  receiptRoutes(app, { ...services, shares });
  claimRoutes(app, { ...services, ...checkout, shares });
  checkoutRoutes(app, { ...services, ...checkout, shares });
  walletAddressRoutes(app, services, async (walletAddressId) => {
    const { keys } = await jwksOf(database, walletAddressId);
    return { keys: [...keys, { ...payments.remoteWallets.keys.of(walletAddressId).jwk }] };
  });
  app.get('/healthz', { config: { forWatchers: true }, schema: { response: { 200: HealthAnswer } } }, () => ({
    status: database.stopped === undefined ? ('ok' as const) : ('stopped' as const),
  }));
  app.get('/readyz', { config: { forWatchers: true }, schema: { response: { 200: ReadyAnswer } } }, () => {
    const words = unfit?.();
    if (words !== undefined) throw new ApiProblem('unavailable', { words });
    if (database.notStored !== undefined || audit.damages.length > 0) throw new ApiProblem('unavailable');
    return { ready: true as const };
  });
  openApiRoute(app, urls);
  serveTills?.(app, (request, tillId) => limits.welcomeTill(request, tillId));
  return app;
}

/** Tells the operator of a public URL whose wallet addresses other wallets may refuse, because it has a port. */
export function warnOfPort({ urls, config, log }: Pick<ListenerParts, 'urls' | 'log'> & { config: Pick<Config, 'development'> }): void {
  if (urls.areProper || isLoopback(new URL(urls.origin).hostname) || config.development) return;
  log.warn({ origin: urls.origin }, 'wallet addresses must not have a port: other wallets may refuse those of this node');
}

interface ListenerParts extends PublicApiParts {
  listen: Listen;
  port: Pick<HeldPort, 'for'>;
  /** A node in development also answers other computers without encryption. */
  config: PublicApiParts['config'] & Pick<Config, 'development'>;
}

/**
 * Opens the public listener.
 * @returns a function that closes the listener. It accepts no new requests and answers those under way.
 */
export async function listenPublicly({ listen, port, ...parts }: ListenerParts): Promise<() => Promise<void>> {
  const pressure = new Pressure(parts);
  const app = createPublicApi({ ...parts, pressure });
  const { server } = app;
  if (parts.certificate === undefined && !isLoopback(listen.host) && !parts.config.development) {
    const warn = () =>
      parts.log.warn(
        'somebody who is no declared proxy asked without encryption, and is not answered; see --trusted-proxies and --tls-cert',
      );
    hearOnly(server, parts.config.trustedProxies, warn);
  }
  warnOfPort(parts);
  const { openFiles } = parts;
  if (openFiles !== undefined && openFiles < FILES_NEEDED) {
    parts.log.warn({ limit: openFiles, needed: FILES_NEEDED }, 'the system lets the node have few open files: it takes fewer connections');
  }
  if (server instanceof Server) parts.certificate?.onChange((context) => server.setSecureContext(context));
  await app.listen(port.for(listen));
  const endLooking = pressure.start();
  return async () => {
    endLooking();
    await app.close();
  };
}
