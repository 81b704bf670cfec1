import type { Amount } from '../../../src-shared/amounts.ts';
import { codedAmountText } from '../../../src-shared/words/amount-text.ts';
import type { Attempt, AttemptFailure } from '../../checkout/attempt-rows.ts';
import type { StartProblem } from '../../checkout/checkouts.ts';
import type { IncomingPayment, IncomingPaymentStatus } from '../../payments/incoming/incoming-payments.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { escapeHtml, type HtmlPage } from './html-page.ts';

/** What a payment's page shows. */
export interface CheckoutView {
  payment: IncomingPayment;
  status: IncomingPaymentStatus;
  account: WalletAddress;
  walletAddress: string;
  /** This browser's newest attempt to pay it. */
  attempt: Attempt | undefined;
  /** Changes whenever the page has something new to show. */
  tag: string;
  /** What was typed, and why nothing came of it. */
  tried?: { wallet: string; amount: string; problem: StartProblem };
}

/** How often the page loads again in a browser without JavaScript while something is expected to happen, in seconds. */
const REFRESH_SECONDS = 5;

/** Moments as people write them where they are. */
const LOCAL_TIMES = `
  const local = () => {
    for (const time of document.querySelectorAll('time')) time.textContent = new Date(time.dateTime).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
  };
  local();`;

// Asks until there is something new, then puts the new page's content in place of the old one; what is being typed stays.
// Only the content is parsed: the style beside it has a nonce of another page.
const SCRIPT = `${LOCAL_TIMES}
  const path = location.pathname;
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const main = document.querySelector('main');
  for (;;) {
    const seen = main.querySelector('[data-tag]')?.dataset.tag;
    if (seen === undefined) break;
    const answer = await fetch(path + '/state?seen=' + encodeURIComponent(seen), { cache: 'no-store' }).catch(() => undefined);
    if (answer?.status === 404) location.reload();
    if (!answer?.ok) await pause(2000);
    else if ((await answer.json()).tag !== seen) {
      const page = await fetch(path, { cache: 'no-store', headers: { accept: 'text/html' } }).catch(() => undefined);
      if (page?.ok) {
        const text = await page.text();
        const inner = text.slice(text.indexOf('<main>') + 6, text.lastIndexOf('</main>'));
        const next = new DOMParser().parseFromString(inner, 'text/html').body;
        const typed = [...main.querySelectorAll('input')].map((input) => [input.name, input.value]);
        main.replaceChildren(...next.childNodes);
        for (const [name, value] of typed) {
          const field = main.querySelector('input[name="' + name + '"]');
          if (field && field.value === '') field.value = value;
        }
        local();
      }
    }
    await pause(300);
  }`;

export const amountWords = (amount: Amount): string => codedAmountText(amount, 'en');

/** Why paying from the visitor's wallet did not work, and what to do. */
const FAILURES: Record<AttemptFailure, string> = {
  wallet_not_found:
    'There is no wallet at this address. Check it for typing errors: it looks like wallet.example/you or $wallet.example/you.',
  own_wallet: 'This wallet address belongs to the same paydesk as the one to be paid. Pay from its own console instead.',
  wallet_unreachable: 'This wallet does not answer. Check the address, or try again in a moment.',
  wallet_refused: 'This wallet cannot make this payment. It may not have enough money, or may not be able to reach this payee.',
  rejected: 'You said no at your wallet. Nothing was paid.',
  too_late: 'The approval came too late. Nothing was paid; you can try again.',
  closed: 'This payment was paid, or ended, before your wallet could pay it. Nothing was taken from you.',
  price_changed: 'The price in your currency has changed meanwhile, so nothing was paid. You can try again.',
  payment_failed: 'Your wallet could not bring the payment to its end. Look there for how much it has sent.',
  not_arrived: 'Your wallet was told to pay, but nothing has arrived yet. Look in your wallet before you try again.',
};
const PROBLEMS: Record<StartProblem, string> = {
  ...FAILURES,
  unknown_payment: FAILURES.closed,
  invalid_amount: 'Enter an amount such as 12.50, not more than this payment takes.',
  busy: 'Too many people are trying to pay this at the moment. Try again in a few minutes.',
};

const isFailure = (reason: string): reason is AttemptFailure => Object.hasOwn(FAILURES, reason);

/** The page of an incoming payment: who is paid, how much, how it stands, and the way to pay it. */
export function checkoutPage(view: CheckoutView): HtmlPage {
  const { payment, status, account } = view;
  const name = escapeHtml(account.publicName);
  if (status === 'completed') return { title: `Paid: ${name}`, body: paidBody(view), script: LOCAL_TIMES };
  if (status === 'expired') return { title: `Ended: ${name}`, body: endedBody(view) };
  const waits = view.attempt?.state === 'returned' || view.attempt?.state === 'paying' || payment.received > 0n;
  return {
    title: `Pay ${name}`,
    body: openBody(view),
    hasForms: true,
    script: SCRIPT,
    ...(waits && { noscript: `<meta http-equiv="refresh" content="${REFRESH_SECONDS}">` }),
  };
}

const TICK =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M17 3.34a10 10 0 1 1-15 8.98V12l.005-.324A10 10 0 0 1 17 3.34zm-1.293 5.953a1 1 0 0 0-1.32-.083l-.094.083L11 12.585l-1.293-1.292-.094-.083a1 1 0 0 0-1.403 1.403l.083.094 2 2 .094.083a1 1 0 0 0 1.226 0l.094-.083 4-4 .083-.094a1 1 0 0 0-.083-1.32z"/></svg>';

function paidBody({ payment, account, walletAddress, tag }: CheckoutView): string {
  return `
    <div data-tag="${tag}" class="done" role="status">${TICK}
      <h1>Paid</h1>
      <p class="amount">${amountWords({ ...account, value: payment.received })}</p>
      <p class="payee">to <bdi>${escapeHtml(account.publicName)}</bdi></p>
    </div>
    <p class="quiet centred">${escapeHtml(bare(walletAddress))}<br><time datetime="${iso(payment.updatedAt)}">${utc(payment.updatedAt)}</time></p>`;
}

const endedBody = (view: CheckoutView): string => `
    ${head(view)}
    <p class="state" data-state="ended" role="status">This payment has ended and takes no more money</p>
    <p class="quiet">Ask the payee for a new link.</p>`;

function head({ payment, account, walletAddress }: CheckoutView): string {
  const { incomingAmount } = payment;
  const asked = incomingAmount === null ? 'Any amount' : amountWords({ ...account, value: incomingAmount });
  return `
    <p class="payee">Pay <bdi>${escapeHtml(account.publicName)}</bdi></p>
    <h1 class="amount">${asked}</h1>
    <p class="quiet"><bdi>${escapeHtml(bare(walletAddress))}</bdi></p>`;
}

function openBody(view: CheckoutView): string {
  const { payment, account, tag, attempt, tried } = view;
  const { incomingAmount, received, expiresAt } = payment;
  const busy = tried === undefined && (attempt?.state === 'returned' || attempt?.state === 'paying');
  const receiving = received > 0n;
  const words = busy ? 'Your wallet is paying …' : receiving ? 'Being paid' : 'Waiting for payment';
  const meter =
    receiving && incomingAmount !== null
      ? `<meter min="0" max="100" value="${percent(received, incomingAmount)}" aria-label="How much has arrived"></meter>`
      : '';
  const arrived = receiving ? `<p class="quiet">${amountWords({ ...account, value: received })} has arrived so far.</p>` : '';
  const ends = expiresAt === null ? '' : `<p class="quiet">Ends <time datetime="${iso(expiresAt)}">${utc(expiresAt)}</time>.</p>`;
  return `
    <div data-tag="${tag}">${head(view)}
    <p class="state" data-state="${busy ? 'busy' : receiving ? 'receiving' : 'waiting'}" role="status">${words}</p>${meter}${arrived}${ends}
    </div>
    <hr>${busy ? '<p class="quiet">This page goes on by itself. You can close it: the payment continues.</p>' : payForm(view)}`;
}

function payForm({ payment, account, attempt, tried }: CheckoutView): string {
  const problem =
    tried?.problem ?? (attempt?.state === 'failed' && attempt.reason !== null && isFailure(attempt.reason) ? attempt.reason : undefined);
  const alert = problem === undefined ? '' : `<p class="alert" role="alert">${PROBLEMS[problem]}</p>`;
  const amount =
    payment.incomingAmount !== null
      ? ''
      : `
      <label for="amount">Amount in ${escapeHtml(account.assetCode)}</label>
      <input id="amount" name="amount" inputmode="decimal" autocomplete="off" required maxlength="40" value="${escapeHtml(tried?.amount ?? '')}">`;
  return `
    <form method="post" action="/pay/${payment.id}">${alert}${amount}
      <label for="wallet">Your wallet address</label>
      <span class="hint" id="wallet-hint">Such as wallet.example/you or $wallet.example/you. You approve the payment there.</span>
      <input id="wallet" name="wallet" autocomplete="off" autocapitalize="none" spellcheck="false" required maxlength="2048" aria-describedby="wallet-hint" value="${escapeHtml(tried?.wallet ?? '')}">
      <button type="submit">Pay from this wallet</button>
    </form>`;
}

/** Between this node and the visitor's wallet: says where the browser goes before it goes. */
export function goPage({ url, wallet, debit }: { url: string; wallet: string; debit: Amount }, back: string): HtmlPage {
  const host = escapeHtml(new URL(url).host);
  const target = escapeHtml(url);
  return {
    title: 'Approve at your wallet',
    head: `\n  <meta http-equiv="refresh" content="2;url=${target}">`,
    body: `
    <h1>Approve at your wallet</h1>
    <dl><dt>Your wallet</dt><dd><bdi>${escapeHtml(bare(wallet))}</bdi></dd><dt>It will take</dt><dd>${escapeHtml(amountWords(debit))}</dd></dl>
    <p>You are being sent to <strong><bdi>${host}</bdi></strong>. Come back here after you have approved.</p>
    <p><a class="button" href="${target}" rel="noreferrer">Go to ${host}</a></p>
    <p class="quiet"><a href="${escapeHtml(back)}">Do not pay now</a></p>`,
  };
}

/** A page with a way back and nothing else. */
export const wordsPage = (title: string, words: string, back?: string): HtmlPage => ({
  title,
  body: `<h1>${title}</h1><p>${words}</p>${back === undefined ? '' : `<p><a class="button" href="${escapeHtml(back)}">Back to the payment</a></p>`}`,
});

/** What everybody gets who opens an address behind which there is nothing. */
export const nothingHere: HtmlPage = wordsPage(
  'There is nothing here',
  'The link may be old, or a part of it is missing. Ask whoever gave it to you.',
);

const bare = (url: string): string => url.replace(/^https?:\/\//, '');
const iso = (at: number): string => new Date(at).toISOString();
const utc = (at: number): string => `${iso(at).slice(0, 16).replace('T', ' ')} UTC`;
const percent = (part: bigint, whole: bigint): number => (part >= whole ? 100 : Number((part * 100n) / whole));
