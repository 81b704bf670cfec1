import { cookieNamed } from '../../platform/cookies.ts';

/** The cookie lives for 400 days: browsers keep none for longer. Each opening of the page begins them anew. */
const MAX_AGE_S = 400 * 86_400;

// The prefix makes browsers refuse a cookie that came without encryption (RFC 6265bis, section 4.1.3.1). Without
// encryption the port in the name tells two nodes on one computer apart. open-payments-api/http/known-callers.ts
// recognises both names.
function nameOf({ protocol, port }: URL): string {
  return protocol === 'https:' ? '__Secure-paydesk-till' : `paydesk_till_${port || '80'}`;
}

/** The value of the cookie of a paired device. @param origin the public origin at which it was paired. */
export const deviceSecret = (cookies: string | undefined, origin: string): string | undefined =>
  cookieNamed(nameOf(new URL(origin)), cookies);

/** The cookie goes to the till's own path, and to no other page of the public address. */
export function deviceCookie(secret: string, origin: string): string {
  const url = new URL(origin);
  const secure = url.protocol === 'https:' ? 'Secure; ' : '';
  return `${nameOf(url)}=${secret}; ${secure}HttpOnly; SameSite=Strict; Path=/till; Max-Age=${MAX_AGE_S}`;
}
