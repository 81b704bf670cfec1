import { type Audience, everyone, managers, owner, readers } from '../../../src-shared/people/roles.ts';
import { SECTIONS } from './sections.ts';

/** The first page is open to everyone. It leads a cashier on. */
const sections = SECTIONS.filter(({ to }) => to !== '/').map(({ to, may }): [string, Audience] => [to, may]);

/**
 * Who may open the pages under an address: whoever may call the operation that the page begins with. The longest
 * address that fits counts. All others are open to everyone.
 */
export const ADDRESSES: Readonly<Record<string, Audience>> = {
  ...Object.fromEntries(sections),
  // Whoever reads the books follows a payment to the request that asked for it.
  '/get-paid/': everyone,
  '/accounts/new': managers,
  '/peers/new': owner,
  '/peers/invite': owner,
  '/peers/accept': owner,
  '/peers/rafiki': owner,
  '/health/log': managers,
  '/products': everyone,
  '/closings': everyone,
  '/closings/': readers,
  '/receipts/': everyone,
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
