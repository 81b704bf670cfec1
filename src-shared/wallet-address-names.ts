/** First path segments of the public origin that mean something else than a wallet address (decisions, "URLs"). */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  'auth',
  'incoming-payments',
  'outgoing-payments',
  'outgoing-payment-grant',
  'quotes',
  'pay',
  'ilp',
  'openapi',
  'health',
  'healthz',
  'readyz',
  'livez',
  'readyz',
  'operator',
  'console',
  'assets',
  'static',
  'favicon',
  'robots',
  'well-known',
  'discovery',
  'api',
  'docs',
  'metrics',
  'status',
]);

const NAME = /^[a-z0-9-]{1,64}$/;

/** Whether `name` can be the last part of a wallet address: lower-case letters, digits and hyphens, at most 64, not reserved. */
export const isWalletAddressName = (name: string): boolean => NAME.test(name) && !RESERVED_NAMES.has(name);
