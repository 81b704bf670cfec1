// @ts-check

/** The driver and its tests, which need a PostgreSQL server. */
export const POSTGRES_DRIVER = 'src-main/platform/database/postgres';

/**
 * The rooms whose unit tests run on PostgreSQL as well in `npm test`: where money, rights and what is told of them are
 * decided. `npm run soak` takes all rooms of the node.
 */
export const POSTGRES_ROOMS = [
  'ledger',
  'journal',
  'wallet-addresses',
  'exchange',
  'access',
  'peers',
  'payments',
  'checkout',
  'remote-wallets',
].map((room) => `src-main/${room}`);
