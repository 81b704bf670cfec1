/** What a request says about where it comes from. */
export interface RequestOrigin {
  method: string;
  /** The `Host` header. */
  host: string | undefined;
  /** The `Origin` header. */
  origin: string | undefined;
  /** The `Sec-Fetch-Site` header. */
  fetchSite: string | undefined;
  /** The `x-paydesk-console` header. */
  consoleHeader: string | undefined;
}

/**
 * The host names under which the console is its own: the address it listens on and the usual spellings of this computer, all
 * with its port. A page of another name that resolves to this computer (DNS rebinding) sends its own name and is refused.
 */
export function consoleHosts(host: string, port: number): ReadonlySet<string> {
  return new Set([host, 'localhost', '127.0.0.1'].map((name) => new URL(urlOf(name, port)).host));
}

export const urlOf = (host: string, port: number): string => new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}`).origin;

/** Whether a request was sent to the console's own name. */
export const isOwnHost = (hosts: ReadonlySet<string>, { host }: RequestOrigin): boolean => host !== undefined && hosts.has(host);

/**
 * Whether a script's request may pass: a script sends no `Origin`; where there is one, a browser sent it, and then it must be
 * the console's own.
 */
export const isOwnScript = ({ host, origin }: RequestOrigin): boolean => origin === undefined || origin === `http://${host}`;

/**
 * Whether a browser's request comes from the console's own page: the exact origin (browsers leave it out on their own page's
 * GET only, and then say `same-origin`), and a header that no other page can send without being asked for.
 */
export function isOwnPage(request: RequestOrigin): boolean {
  const { method, host, origin, fetchSite, consoleHeader } = request;
  if (consoleHeader !== '1') return false;
  if (fetchSite !== undefined && fetchSite !== 'same-origin') return false;
  if (origin !== undefined) return origin === `http://${host}`;
  return (method === 'GET' || method === 'HEAD') && fetchSite === 'same-origin';
}

/** The address that signs a browser in. The secret is in the fragment, which browsers send to nobody. */
export const consoleLink = (url: string, secret: string): string => `${url}/#link=${secret}`;
