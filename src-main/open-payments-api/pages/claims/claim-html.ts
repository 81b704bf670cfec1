import type { ClaimProblem } from '../../../../src-shared/claims/claim-findings.ts';
import { codedAmountText } from '../../../../src-shared/words/amount-text.ts';
import { spoken } from '../../../../src-shared/words/language/language.ts';
import { claimWords as words } from '../../../../src-shared/words/pages/claim-words.ts';
import type { ClaimStanding } from '../../../payments/claims/claim-visits.ts';
import { emphasized, escapeHtml, type HtmlPage, htmlOf, moneyHtml } from '../html-page.ts';
import { LOCAL_TIMES, timeHtml, utcText } from '../page-times.ts';
import { type ShownShop, shopHead } from '../shop-html.ts';

/** The customer's input, and the reason why the node does not ask that wallet. */
export interface ClaimTried {
  wallet: string;
  problem: ClaimProblem;
}

/** The content of a claim link's page for one visitor. It never says who gets the money. */
interface ClaimView extends ClaimStanding {
  secret: string;
  /** The shop. It is undefined while nobody has named it. */
  shop: ShownShop | undefined;
  tried: ClaimTried | undefined;
}

/** The wait before a page that waits for a wallet loads again, in seconds. */
const AGAIN_SECONDS = 2;
const AGAIN = `setTimeout(() => location.reload(), ${AGAIN_SECONDS * 1_000});`;

const TICK =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M17 3.34a10 10 0 1 1-15 8.98V12l.005-.324A10 10 0 0 1 17 3.34zm-1.293 5.953a1 1 0 0 0-1.32-.083l-.094.083L11 12.585l-1.293-1.292-.094-.083a1 1 0 0 0-1.403 1.403l.083.094 2 2 .094.083a1 1 0 0 0 1.226 0l.094-.083 4-4 .083-.094a1 1 0 0 0-.083-1.32z"/></svg>';

const STYLE = `
  button.second { color: var(--text); background: none; border-color: var(--field-line); }
  .note { margin-bottom: 1rem; }
  form + p { margin-top: 1rem; }`;

type State = 'form' | 'busy' | 'deciding' | 'refunded' | 'over';

function stateOf({ claim, isOpen, isBusy, hasFailed }: ClaimView): State {
  if (claim.state === 'refunded') return hasFailed ? 'over' : 'refunded';
  if (!isOpen) return 'over';
  if (claim.state === 'deciding') return 'deciding';
  return isBusy ? 'busy' : 'form';
}

/** The page on which a customer names the wallet to which money goes back. */
export function claimPage(view: ClaimView): HtmlPage {
  const state = stateOf(view);
  const payee = view.account.publicName;
  const body = { form: formBody, busy: busyBody, deciding: decidingBody, refunded: refundedBody, over: overBody }[state](view);
  return {
    title: words.title({ payee }),
    body: `${shopHead(view.shop)}${body}`,
    brand: view.shop?.colour ?? null,
    style: STYLE,
    hasForms: state === 'form',
    ...(state === 'busy' ? { script: AGAIN, noscript: `<meta http-equiv="refresh" content="${AGAIN_SECONDS}">` } : { script: LOCAL_TIMES }),
  };
}

function head({ claim, account }: ClaimView): string {
  const { assetCode, assetScale, publicName } = account;
  const reason = claim.reason === null ? '' : `<blockquote dir="auto">${escapeHtml(claim.reason)}</blockquote>`;
  return `
    <p class="payee">${htmlOf(words.gives({ payee: publicName }))}</p>
    <h1 class="amount">${moneyHtml(codedAmountText({ value: claim.amount, assetCode, assetScale }, spoken()))}</h1>${reason}`;
}

function formBody(view: ClaimView): string {
  const { claim, account, secret, own, tried } = view;
  const problem = tried === undefined ? undefined : words.problems[tried.problem];
  const alert = problem === undefined ? '' : `<p class="alert" role="alert">${htmlOf(problem)}</p>`;
  const ends = htmlOf(words.ends({ moment: utcText(claim.expiresAt) }), () => timeHtml(claim.expiresAt));
  const refused = claim.refusals > 0 ? `<p class="alert" role="status">${htmlOf(words.refusedBefore)}</p>` : '';
  return `${head(view)}
    <p>${htmlOf(words.how)}</p>${own?.state === 'approving' ? approving(view, own.id, own.payer) : ''}${refused}
    <form method="post" action="/claim/${secret}">${alert}
      <label for="wallet">${htmlOf(words.wallet)}</label>
      <span class="hint" id="wallet-hint">${htmlOf(words.walletHint)}</span>
      <input id="wallet" name="wallet" autocomplete="off" autocapitalize="none" spellcheck="false" required maxlength="2048" aria-describedby="wallet-hint" value="${escapeHtml(tried?.wallet ?? '')}">
      <button type="submit">${htmlOf(words.ask)}</button>
    </form>
    <p class="quiet">${htmlOf(words.asks({ payee: account.publicName }))}</p>
    <p class="quiet">${ends}</p>`;
}

/** The text for a customer who was sent to a wallet and has not come back. */
const approving = ({ secret }: ClaimView, tryId: string, wallet: string): string => `
    <div class="note" role="status"><p>${htmlOf(words.sent({ wallet: bare(wallet) }), emphasized)}</p>
      <p><a class="button" href="/claim/go/${tryId}">${htmlOf(words.goOn)}</a></p>
      <form method="post" action="/claim/${secret}"><input type="hidden" name="decide" value="yes">
        <button type="submit" class="second">${htmlOf(words.letShop)}</button></form></div>`;

const busyBody = (view: ClaimView): string => `${head(view)}
    <p class="state" data-state="busy" role="status">${htmlOf(words.busy)}</p>
    <p class="quiet">${htmlOf(words.busyNote)}</p>`;

const decidingBody = (view: ClaimView): string => `${head(view)}
    <p class="state" data-state="deciding" role="status">${htmlOf(words.deciding)}</p>
    <p>${htmlOf(words.decidingNote({ moment: utcText(view.claim.expiresAt) }), () => timeHtml(view.claim.expiresAt))}</p>`;

const refundedBody = ({ claim, account }: ClaimView): string => `
    <div class="done" role="status">${TICK}
      <h1>${htmlOf(words.refunded)}</h1>
      <p class="amount">${moneyHtml(codedAmountText({ ...account, value: claim.amount }, spoken()))}</p>
      <p class="payee">${htmlOf(words.refundedBy({ payee: account.publicName }))}</p>
    </div>
    <p class="quiet centred">${htmlOf(words.used)}</p>`;

const overBody = (view: ClaimView): string => {
  const { state } = view.claim;
  const isTold = state === 'cancelled' || state === 'refused' || state === 'doubted';
  const over = view.hasFailed ? 'failed' : isTold ? state : 'expired';
  return `${head(view)}
    <p class="state" data-state="ended" role="status">${htmlOf(words.over[over])}</p>
    <p class="quiet">${htmlOf(words.overAdvice)}</p>`;
};

/** The page between this node and the customer's wallet. It says where the browser will go, and what is asked there. */
export function claimGoPage({ url, wallet, back }: { url: string; wallet: string; back: string }): HtmlPage {
  const { host } = new URL(url);
  const target = escapeHtml(url);
  return {
    title: words.go.title,
    head: `\n  <meta http-equiv="refresh" content="3;url=${target}">`,
    body: `
    <h1>${htmlOf(words.go.title)}</h1>
    <dl><dt>${htmlOf(words.go.wallet)}</dt><dd><bdi>${escapeHtml(bare(wallet))}</bdi></dd></dl>
    <p>${htmlOf(words.go.asks)}</p>
    <p>${htmlOf(words.go.sentTo({ host }), emphasized)}</p>
    <p><a class="button" href="${target}" rel="noreferrer">${htmlOf(words.go.button({ host }))}</a></p>
    <p class="quiet"><a href="${escapeHtml(back)}">${htmlOf(words.go.back)}</a></p>`,
  };
}

const bare = (url: string): string => url.replace(/^https?:\/\//, '');
