import { stateCell } from './state-cell.ts';

/**
 * Whether this page may call the node. `opening`: the page is finding out. `linkRefused`: the console link was used
 * before or is too old. `none`: there is no session any more. `returning`: there is no session, but the page knows how
 * to get another one.
 */
type SessionState = 'opening' | 'open' | 'linkRefused' | 'none' | 'returning';

export const session = stateCell<SessionState>('opening');

/**
 * Sent with every request to the console's listener. A page of another origin cannot send this header without the
 * node's permission.
 */
export const CONSOLE_HEADER = { 'x-paydesk-console': '1' } as const;

let returnSecret: string | undefined;

/**
 * Takes the secret with which the page gets its next session, before an operation ends the present one. The secret
 * works once, as that of a console link.
 */
export function comeBackWith(secret: string | undefined): void {
  returnSecret = secret;
}

/**
 * Gets a new session with the secret of {@link comeBackWith}. A node that does not answer, because it is still
 * starting, has not used the secret up.
 * @returns undefined when the page knows no way back
 */
export function comeBack(): ReturnType<typeof redeemLink> | undefined {
  const secret = returnSecret;
  if (secret === undefined) return undefined;
  return redeemLink(secret).then((answer) => {
    if (returnSecret === secret) returnSecret = undefined;
    return answer;
  });
}

/** Ends the session in the page. The operator needs a new link, unless the page knows its own way back. */
export const sessionLost = (): void => session.set(returnSecret === undefined ? 'none' : 'returning');

/**
 * Takes the secret of a console link out of the address bar, before anything else can see it.
 * @returns undefined when the page was not opened by a link
 */
export function takeLinkSecret(): string | undefined {
  const secret = new URLSearchParams(location.hash.slice(1)).get('link');
  if (secret === null) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return secret;
}

/** Exchanges the secret of a console link, which works once, for a session cookie. */
export async function redeemLink(secret: string): Promise<'open' | 'linkRefused'> {
  const answer = await fetch('/operator/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...CONSOLE_HEADER },
    body: JSON.stringify({ secret }),
    credentials: 'same-origin',
  });
  return answer.status === 204 ? 'open' : 'linkRefused';
}
