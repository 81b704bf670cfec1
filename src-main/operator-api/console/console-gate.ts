/** The headers in which a request says where it comes from. */
export interface RequestOrigin {
  method: string;
  origin: string | undefined;
  fetchSite: string | undefined;
  consoleHeader: string | undefined;
}

/**
 * The hosts under which a request may reach the console: the address on which it listens and the usual names of this
 * computer, all with its port. A page under another name that leads to this computer (DNS rebinding) sends its own
 * name, and the console refuses it.
 */
export function consoleHosts(host: string, port: number): ReadonlySet<string> {
  return new Set([host, 'localhost', '127.0.0.1'].map((name) => new URL(urlOf(name, port)).host));
}

export const urlOf = (host: string, port: number): string => new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}`).origin;

/**
 * Whether a request with a token may pass. A script sends no `Origin` header. If there is one, a browser sent the
 * request, and then the origin must be the console's own.
 * @param site the origin to which it was sent.
 */
export const isOwnScript = ({ origin }: RequestOrigin, site: string): boolean => origin === undefined || origin === site;

/**
 * Whether a browser's request comes from the console's own page. Such a request has the console's exact origin.
 * Browsers leave `Origin` out of GET requests to the page's own origin, and then send `Sec-Fetch-Site: same-origin`.
 * The request also has a header that a page of another origin can only send if the server allows it (CORS preflight).
 * @param site the origin to which it was sent.
 */
export function isOwnPage({ method, origin, fetchSite, consoleHeader }: RequestOrigin, site: string): boolean {
  if (consoleHeader !== '1') return false;
  if (fetchSite !== undefined && fetchSite !== 'same-origin') return false;
  if (origin !== undefined) return origin === site;
  return (method === 'GET' || method === 'HEAD') && fetchSite === 'same-origin';
}

/** The URL that signs a browser in. The secret is in the fragment, which browsers send to no server. */
export const consoleLink = (url: string, secret: string): string => `${url}/#link=${secret}`;
