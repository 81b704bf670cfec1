/** The scheme of links in other programs that open a screen of paydesk, such as `paydesk://payments`. */
export const LINK_SCHEME = 'paydesk';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
/** The screens that a link can open. A link fills in no form: it shows something and never prepares an action. */
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
/** Some systems add a slash to a link without a path. */
const LINK = new RegExp(`^${LINK_SCHEME}://(${SCREENS.join('|')})/?$`);

/**
 * The console's address that a link opens, such as `/payments`. It is undefined for every text that is not, letter by
 * letter, a link to a known screen. The link is neither decoded nor rewritten, so no spelling can mean something else
 * later.
 */
export function screenOf(link: unknown): string | undefined {
  const screen = typeof link === 'string' ? LINK.exec(link)?.[1] : undefined;
  if (screen === undefined) return undefined;
  return screen === 'overview' ? '/' : `/${screen}`;
}

/** The screen that a command line asks for. The system hands a link to the program as one of its arguments. */
export const screenIn = (argv: readonly string[]): string | undefined =>
  argv.map(screenOf).find((screen): screen is string => screen !== undefined);
