import { type Audience, everyone, managers, owner, readers, till } from '../../src-shared/people/roles.ts';

/**
 * Who may open the pages under an address: whoever may call the operation that the page begins with. The longest
 * address that fits counts. All others are open to everyone, as the first page is, which leads a cashier on.
 */
export const ADDRESSES: Readonly<Record<string, Audience>> = {
  '/get-paid': till,
  // Whoever reads the books follows a payment to the request that asked for it.
  '/get-paid/': everyone,
  '/till': till,
  '/pay': managers,
  '/payments': readers,
  '/approvals': readers,
  '/apps': readers,
  '/accounts': readers,
  '/accounts/new': managers,
  '/peers': readers,
  '/peers/new': owner,
  '/peers/invite': owner,
  '/peers/accept': owner,
  '/peers/rafiki': owner,
  '/reach': readers,
  '/rates': readers,
  '/health': readers,
  '/health/log': managers,
  '/products': everyone,
  '/closings': everyone,
  '/closings/': readers,
  '/receipts/': everyone,
  '/reports': readers,
  '/statements': readers,
  '/activity': readers,
  '/welcome': managers,
  '/restore': owner,
};

const isUnder = (path: string, under: string): boolean => path === under || path.startsWith(under.endsWith('/') ? under : `${under}/`);

/** Who may open an address. @param address a path, perhaps with a search. */
export function mayOpen(address: string): Audience {
  const [path = ''] = address.split(/[?#]/);
  const [longest] = Object.keys(ADDRESSES)
    .filter((under) => isUnder(path, under))
    .sort((one, other) => other.length - one.length);
  return (longest !== undefined && ADDRESSES[longest]) || everyone;
}
