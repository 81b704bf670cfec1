/** The scheme of links that open a screen of paydesk from elsewhere, such as `paydesk://payments`. */
export const LINK_SCHEME = 'paydesk';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
/** The screens that can be opened, without what a form would begin with: a link shows something and never prepares an action. */
const SCREENS = [
  'overview',
  'get-paid',
  `get-paid/${UUID}`,
  'pay',
  'payments',
  `payments/${UUID}`,
  'approvals',
  `approvals/${UUID}`,
  'apps',
  `apps/${UUID}`,
  'accounts',
  `accounts/${UUID}`,
  'peers',
  `peers/${UUID}`,
  'rates',
  'health',
  'activity',
  'settings',
];
/** A slash at the end is what some systems add to a link without a path. */
const LINK = new RegExp(`^${LINK_SCHEME}://(${SCREENS.join('|')})/?$`);

/**
 * The console's address a link opens, such as `/payments`; undefined for every text that is not, letter by letter, a link to a known
 * screen. Nothing of it is decoded or resolved, so no spelling means something else further on.
 */
export function screenOf(link: unknown): string | undefined {
  const screen = typeof link === 'string' ? LINK.exec(link)?.[1] : undefined;
  if (screen === undefined) return undefined;
  return screen === 'overview' ? '/' : `/${screen}`;
}

/** The screen that a command line asks for: systems hand a link to the program they start as one of its arguments. */
export const screenIn = (argv: readonly string[]): string | undefined =>
  argv.map(screenOf).find((screen): screen is string => screen !== undefined);
