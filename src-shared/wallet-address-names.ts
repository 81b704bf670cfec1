/** The first path segments of the public API. An endpoint with another first segment does not compile. */
const ENDPOINT_SEGMENTS = [
  'auth',
  'incoming-payments',
  'outgoing-payments',
  'outgoing-payment-grant',
  'quotes',
  'pay',
  'receipt',
  'claim',
  'ilp',
  'healthz',
  'readyz',
  'openapi.json',
] as const;
export type EndpointSegment = (typeof ENDPOINT_SEGMENTS)[number];

/** Browsers and robots ask every host for these files. */
const FILES = ['assets', 'static', 'favicon', 'robots', 'well-known'];

/** A visitor could take a wallet address of this name for a part of the node. */
const OF_THE_NODE = ['operator', 'console'];

/** Endpoints of a later version may need these names. */
const FOR_LATER = ['api', 'docs', 'openapi', 'discovery', 'health', 'livez', 'metrics', 'status'];

/** First path segments of the public origin that mean something else than a wallet address (decisions.md#D-01). */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([...ENDPOINT_SEGMENTS, ...FILES, ...OF_THE_NODE, ...FOR_LATER]);

const NAME = /^[a-z0-9-]{1,64}$/;

/**
 * Whether `name` can be the last part of a wallet address: 1 to 64 lower-case letters, digits and hyphens, and not
 * reserved.
 */
export const isWalletAddressName = (name: string): boolean => NAME.test(name) && !RESERVED_NAMES.has(name);
