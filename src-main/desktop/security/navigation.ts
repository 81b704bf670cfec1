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

/** No mail that the console writes has a longer link, in characters. */
const LONGEST_MAIL = 8_000;

/**
 * The URL to hand to the system's mail program: a draft with a subject and a text, and nothing else. It is undefined
 * for every other link: another field could attach a file, or name somebody who gets the mail unseen.
 */
export function mailUrl(url: string): string | undefined {
  const parsed = url.length > LONGEST_MAIL ? null : URL.parse(url);
  if (parsed?.protocol !== 'mailto:' || parsed.pathname !== '' || parsed.host !== '' || parsed.hash !== '') return undefined;
  const { subject, body, ...others } = Object.fromEntries(parsed.searchParams);
  const fields = [subject, body].filter((text) => text !== undefined);
  if (Object.keys(others).length > 0 || fields.length === 0 || parsed.searchParams.size !== fields.length) return undefined;
  // A line end in the subject would begin a field of its own (RFC 6068 §5).
  if (/[\r\n]/.test(subject ?? '')) return undefined;
  // Some programs are started with the link between apostrophes.
  return parsed.href.replaceAll("'", '%27');
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
