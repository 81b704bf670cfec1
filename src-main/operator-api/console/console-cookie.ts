import { cookieNamed } from '../../platform/cookies.ts';
import { KNOWN_MS } from '../people/known-browsers.ts';
import { SESSION_LIFE_MS } from '../people/sessions.ts';
import type { Site } from '../people/site.ts';

// Browsers keep cookies for each host, not for each port. The port in the name lets two nodes on one computer stay
// signed in. On the network the prefix makes browsers refuse a cookie that another host or an unencrypted page has set
// (RFC 6265bis, section 4.1.3.2).
const nameOf = ({ isRemote }: Site, port: number): string => (isRemote ? '__Host-paydesk' : `paydesk_${port}`);

const attributes = ({ isRemote }: Site, maxAgeSeconds: number): string =>
  `${isRemote ? 'Secure; ' : ''}HttpOnly; SameSite=Strict; Path=/; Max-Age=${maxAgeSeconds}`;

/** The value of the console's cookie in a `Cookie` header. */
export const sessionSecret = (cookies: string | undefined, site: Site, port: number): string | undefined =>
  cookieNamed(nameOf(site, port), cookies);

export const sessionCookie = (secret: string, site: Site, port: number): string =>
  `${nameOf(site, port)}=${secret}; ${attributes(site, SESSION_LIFE_MS / 1000)}`;

/** The cookie by which the node knows a browser again when nobody is signed in there. */
const browserNameOf = ({ isRemote }: Site, port: number): string => (isRemote ? '__Host-paydesk-browser' : `paydesk_browser_${port}`);

/** The value of a known browser's cookie in a `Cookie` header. */
export const browserSecret = (cookies: string | undefined, site: Site, port: number): string | undefined =>
  cookieNamed(browserNameOf(site, port), cookies);

export const browserCookie = (secret: string, site: Site, port: number): string =>
  `${browserNameOf(site, port)}=${secret}; ${attributes(site, KNOWN_MS / 1000)}`;

export const endedCookie = (site: Site, port: number): string => `${nameOf(site, port)}=; ${attributes(site, 0)}`;
