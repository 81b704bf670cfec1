import type { FastifyRequest } from 'fastify';
import { cookieNamed } from '../../platform/cookies.ts';

// A browser may remember the wallet address from which its person pays. The node keeps nothing of it.

const COOKIE = 'paydesk-wallet';
/** The most characters that are remembered. */
const LENGTH = 512;
const REMEMBERED_S = 180 * 24 * 60 * 60;

/** The wallet address that this browser remembers. It is what somebody typed, so nothing else is known of it. */
export function rememberedWallet({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const kept = cookieNamed(COOKIE, headers.cookie);
  if (kept === undefined || kept.length > 6 * LENGTH) return undefined;
  const text = Buffer.from(kept, 'base64url').toString('utf8');
  return text === '' || text.length > LENGTH ? undefined : text;
}

/**
 * The cookie with which a browser remembers a wallet address on all pages of this node on which people pay, or forgets
 * it.
 * @param wallet what the person typed; an empty text forgets
 * @param origin the public origin of this node
 */
export function walletCookie(wallet: string, origin: string): string {
  const kept = wallet.length > LENGTH ? '' : Buffer.from(wallet, 'utf8').toString('base64url');
  const secure = origin.startsWith('https:') ? '; Secure' : '';
  return `${COOKIE}=${kept}; Path=/pay; HttpOnly; SameSite=Lax; Max-Age=${kept === '' ? 0 : REMEMBERED_S}${secure}`;
}
