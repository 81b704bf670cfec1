import { APP_HOST, APP_SCHEME } from './app-scheme.ts';

/** Whether a URL is a page of the console in this window. */
export function isConsoleUrl(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed?.protocol === `${APP_SCHEME}:` && parsed.host === APP_HOST && parsed.username === '' && parsed.password === '';
}

/** Whether a URL is the page of the customer's screen. The fragment names the till. */
export const isCustomerScreen = (url: string): boolean => isConsoleUrl(url) && URL.parse(url)?.pathname === '/customer.html';

/**
 * The URL to hand to the system's browser for a link that leaves the console: https, without credentials, spelled as
 * parsed. It is undefined for every other link, because the system would start whatever program has registered the
 * link's scheme.
 */
export function externalUrl(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed?.protocol !== 'https:' || parsed.username !== '' || parsed.password !== '') return undefined;
  return parsed.href;
}

/** The part of Electron's WebFrameMain that tells who sent a message. */
interface SenderFrame {
  readonly url: string;
  readonly parent: SenderFrame | null;
}

/** Whether a message comes from the console's own page: the main frame of its window, on its own scheme. */
export const isConsoleFrame = (frame: SenderFrame | null): boolean => frame !== null && frame.parent === null && isConsoleUrl(frame.url);

/**
 * Whether a page gets what it asks the system for. A page of the console may fill the screen, as the till does, and
 * nothing else.
 */
export const mayHave = (permission: string, url: string): boolean => permission === 'fullscreen' && isConsoleUrl(url);
