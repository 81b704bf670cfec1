import type { FastifyRequest } from 'fastify';
import { cookieNamed } from '../../platform/cookies.ts';

/** The 32 random bytes that tie a browser to what it has begun. It is undefined for a browser without the cookie. */
export function visitorOf(request: FastifyRequest, name: string): string | undefined {
  const found = cookieNamed(name, request.headers.cookie);
  return found !== undefined && /^[A-Za-z0-9_-]{43}$/.test(found) ? found : undefined;
}

/** The cookie that keeps them for a day, for the pages below a path. @param to the path, and the node's origin */
export const visitorCookie = (name: string, visitor: string, to: { path: string; origin: string }): string =>
  `${name}=${visitor}; Path=${to.path}; HttpOnly; SameSite=Lax; Max-Age=86400${to.origin.startsWith('https:') ? '; Secure' : ''}`;
