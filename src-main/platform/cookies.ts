/** Browsers keep at most 180 cookies for a host. Each further one would cost a text of its own. */
const MAX_COOKIES = 256;

/**
 * Reads one cookie from a `Cookie` header (RFC 6265, section 4.2), among the first 256.
 * @returns undefined when there is no such cookie, or when it is empty.
 */
export function cookieNamed(name: string, header: string | undefined): string | undefined {
  const prefix = `${name}=`;
  const cookie = header
    ?.split(';', MAX_COOKIES)
    .map((part) => part.trim())
    .find((part) => part.startsWith(prefix));
  return cookie?.slice(prefix.length) || undefined;
}
