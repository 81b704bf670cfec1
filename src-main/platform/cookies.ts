/**
 * Reads one cookie from a `Cookie` header (RFC 6265, section 4.2).
 * @returns undefined when there is no such cookie, or when it is empty.
 */
export function cookieNamed(name: string, header: string | undefined): string | undefined {
  const prefix = `${name}=`;
  const cookie = header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(prefix));
  return cookie?.slice(prefix.length) || undefined;
}
