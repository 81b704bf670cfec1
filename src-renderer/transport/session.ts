import { ofBrowser, remember, remembered } from './browser-memory.ts';
import { stateCell } from './state-cell.ts';

/**
 * Whether this page may call the node. `opening`: the page is finding out. `linkRefused`: the console link was used
 * before or is too old. `limited`: the person may only make a passkey or set a password. `none`: there is no
 * session any more. `returning`: there is no session, but the page knows how to get another one.
 */
type SessionState = 'opening' | 'open' | 'limited' | 'linkRefused' | 'none' | 'returning';

export const session = stateCell<SessionState>('opening');

/**
 * The header of every request to the console's listener. A page of another origin cannot send it without the node's
 * permission.
 */
const CONSOLE_HEADER = { 'x-paydesk-console': '1' } as const;

/**
 * The name under which this tab keeps the page's secret, so that the page may be loaded again. It belongs to host and
 * port.
 */
const KEPT_AS = 'paydesk-session';
/** The name under which the browser keeps the secret by which the node knows it again when nobody is signed in. */
const BROWSER_KEPT_AS = 'paydesk-browser';
/**
 * A new tab waits for the secret of another one for this long, in milliseconds: when one has it, and when the browser
 * does not tell whether one has it. Another tab may be busy, or stand in the background.
 */
const [TOLD_WITHIN_MS, GUESSED_WITHIN_MS] = [5_000, 200];
/** Joins the tabs of one browser that show this console. Only pages of the same host and port can hear it. */
const tabs = new BroadcastChannel(KEPT_AS);
const ASKED = 'asked';

const pageSecret = (): string | null => sessionStorage.getItem(KEPT_AS);

/** The browser's locks of this host and port. A page that came over HTTP from another computer has none. */
const locks = (): LockManager | undefined => (navigator as { locks?: LockManager }).locks;

/** Lets go of the lock by which new tabs know that this one has the secret. */
let letGo: (() => void) | undefined;

function keepSecret(secret: string): void {
  sessionStorage.setItem(KEPT_AS, secret);
  showThatKept();
}

function showThatKept(): void {
  if (letGo !== undefined) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  letGo = resolve;
  // A browser that refuses is one that does not tell.
  locks()
    ?.request(KEPT_AS, { mode: 'shared' }, () => promise)
    .catch(() => undefined);
}

function forgetSecret(): void {
  sessionStorage.removeItem(KEPT_AS);
  letGo?.();
  letGo = undefined;
}

/** Whether another tab has the secret. It is undefined when the browser does not tell. */
async function isKeptElsewhere(): Promise<boolean | undefined> {
  const known = await locks()
    ?.query()
    .catch(() => undefined);
  return known?.held?.some(({ name }) => name === KEPT_AS);
}

tabs.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const own = pageSecret();
  if (data === ASKED) {
    if (own !== null) tabs.postMessage(own);
    return;
  }
  keepSecret(String(data));
  // Another tab has signed in, perhaps as another person. Both tabs share the cookie, so this one is that person, too.
  if (own !== null && own !== data) location.reload();
});

/**
 * The headers that show the node that a call comes from the page that has signed in. The cookie alone does not:
 * browsers send it to every web server of this computer, whatever its port.
 */
export const callHeaders = (): Record<string, string> => ({ ...CONSOLE_HEADER, 'x-paydesk-session': pageSecret() ?? '' });

/** Takes the secret of another tab in which the operator is signed in, when this tab has none. */
export async function askOtherTabs(): Promise<void> {
  if (pageSecret() !== null) return showThatKept();
  const isKept = await isKeptElsewhere();
  if (isKept === false) return;
  const { resolve, promise } = Promise.withResolvers<void>();
  // Tabs that are opened at the same time ask as well.
  tabs.addEventListener('message', ({ data }: MessageEvent<unknown>) => data !== ASKED && resolve());
  setTimeout(resolve, isKept ? TOLD_WITHIN_MS : GUESSED_WITHIN_MS);
  tabs.postMessage(ASKED);
  await promise;
}

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

/**
 * Exchanges the secret of a console link, which works once, for a session: a cookie, and a secret that the tabs keep.
 */
export async function redeemLink(secret: string): Promise<'open' | 'linkRefused'> {
  const answer = await signIn({ secret });
  return answer === 'open' ? 'open' : 'linkRefused';
}

const browserHeader = (): Record<string, string> => {
  const secret = remembered(ofBrowser, BROWSER_KEPT_AS);
  return secret === undefined ? {} : { 'x-paydesk-browser': secret };
};

/** Asks the node something before anybody is signed in. */
export const askBeforeSignIn = (method: 'GET' | 'POST', path: string, body?: unknown): Promise<Response> =>
  fetch(path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...CONSOLE_HEADER, ...browserHeader() },
    body: body === undefined ? null : JSON.stringify(body),
    credentials: 'same-origin',
  });

/** The reason why somebody was not signed in. */
export interface SignInRefusal {
  code: string;
  /** The wait until the node looks at the next attempt. */
  secondsLeft?: number;
  /** The number of PINs that the person may still try. */
  triesLeft?: number;
}

/** Exchanges a proof for a session, as {@link redeemLink} exchanges a link. */
export async function signIn(by: object): Promise<'open' | SignInRefusal> {
  const answer = await askBeforeSignIn('POST', '/operator/session', by);
  if (answer.status !== 201) return ((await answer.json()) as { error: SignInRefusal }).error;
  const { pageSecret, browserSecret } = (await answer.json()) as { pageSecret: string; browserSecret: string };
  remember(ofBrowser, BROWSER_KEPT_AS, browserSecret);
  keepSecret(pageSecret);
  tabs.postMessage(pageSecret);
  return 'open';
}

/**
 * Ends the session of this browser, so that another person can take over. The other tabs notice it by their next call.
 * @throws TypeError when the node does not answer. Then the session goes on.
 */
export async function handOver(): Promise<void> {
  const answer = await fetch('/operator/session', { method: 'DELETE', headers: callHeaders(), credentials: 'same-origin' });
  if (answer.status !== 204 && answer.status !== 401) throw new TypeError(String(answer.status));
  forgetSecret();
  session.set('none');
}
