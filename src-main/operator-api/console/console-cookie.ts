import { cookieNamed } from '../../platform/cookies.ts';
import { SESSION_LIFE_MS } from '../people/sessions.ts';

// Browsers keep cookies for each host, not for each port. The port in the name lets two nodes on one computer stay
// signed in.
const nameOf = (port: number): string => `paydesk_${port}`;

const attributes = (maxAgeSeconds: number): string => `HttpOnly; SameSite=Strict; Path=/; Max-Age=${maxAgeSeconds}`;

/** The value of the console's cookie in a `Cookie` header. */
export const sessionSecret = (cookies: string | undefined, port: number): string | undefined => cookieNamed(nameOf(port), cookies);

export const sessionCookie = (secret: string, port: number): string => `${nameOf(port)}=${secret}; ${attributes(SESSION_LIFE_MS / 1000)}`;

export const endedCookie = (port: number): string => `${nameOf(port)}=; ${attributes(0)}`;
