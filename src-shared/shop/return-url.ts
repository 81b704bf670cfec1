/** The most characters of a way back. */
export const LONGEST_RETURN_URL = 2_048;

/**
 * Whether the page of a payment may lead to an address: one of HTTPS, or of HTTP on the payer's own computer, as while
 * a shop is built. It has no user and no password, which a browser would send along.
 */
export function isReturnUrl(text: string): boolean {
  const url = text.length > LONGEST_RETURN_URL ? null : URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname));
}
