import { inertText } from '../../src-shared/inert-text.ts';

export { inertText, shortened } from '../../src-shared/inert-text.ts';

/** A URL without what every URL begins with, such as `shop.example/till`. */
export const hostAndPath = (url: string): string => inertText(url.replace(/^https?:\/\//, '').replace(/\/$/, ''));

/** The host of a URL, with its port if it has one; for an app's own scheme, the scheme. */
export function hostOf(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return inertText(url);
  return parsed.host === '' ? parsed.protocol : parsed.host;
}
