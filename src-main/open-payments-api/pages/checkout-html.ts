import type { Amount, Asset } from '../../../src-shared/amounts.ts';
import type { IncomingStatus } from '../../../src-shared/incoming-status.ts';
import { codedAmountText, numberText, percent, plainNumberText } from '../../../src-shared/words/amount-text.ts';
import { spoken } from '../../../src-shared/words/language/language.ts';
import { checkoutWords as words } from '../../../src-shared/words/pages/checkout-words.ts';
import { receiptPageWords } from '../../../src-shared/words/pages/receipt-words.ts';
import { billRows, billWords, type PrintedBill } from '../../../src-shared/words/sales/bill-text.ts';
import { strong } from '../../../src-shared/words/words.ts';
import type { Attempt } from '../../checkout/attempt-rows.ts';
import type { StartProblem } from '../../checkout/checkouts.ts';
import type { IncomingPayment } from '../../payments/incoming/incoming-payments.ts';
import { said } from '../../payments/search-text.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { emphasized, escapeHtml, type HtmlPage, htmlOf, moneyHtml } from './html-page.ts';
import { LOCAL_TIMES, timeHtml, utcText } from './page-times.ts';
import { type ShownShop, shopHead } from './shop-html.ts';

/** What the page of an incoming payment shows. */
export interface CheckoutView {
  payment: IncomingPayment;
  status: IncomingStatus;
  /** Whether somebody can still pay it. */
  isOpen: boolean;
  account: WalletAddress;
  walletAddress: string;
  /** The shop. It is undefined while nobody has named it. */
  shop?: ShownShop | undefined;
  /** The newest attempt of this browser to pay. */
  attempt: Attempt | undefined;
  /** The reason why the payee has cancelled it, in their words. */
  cancelReason: string | null;
  /** The time by which the payer should pay, in milliseconds since the Unix epoch. */
  dueAt: number | null;
  /** The URL to which the payer goes on after paying. */
  returnUrl: string | null;
  /** The lines of its amount. */
  bill: PrintedBill | undefined;
  /** A text that changes whenever the page has something new to show. */
  tag: string;
  /** The wallet address that this browser remembers. */
  remembered?: string | undefined;
  /** What the visitor typed, and why the node did not begin the payment. */
  tried?: { wallet: string; amount: string; remember: boolean; problem: StartProblem };
}

/** How often a browser without JavaScript loads the page again while something is under way, in seconds. */
const REFRESH_SECONDS = 5;

// Asks until there is something new, and then shows the content of the new page in place of the old one. It keeps what
// the visitor is typing. It takes the content only, because the style of the new page has another nonce.
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
        const typed = [...main.querySelectorAll('input')].map(({ name, value, checked }) => ({ name, value, checked }));
        const opened = [...main.querySelectorAll('details[open]')].map(({ className }) => className);
        main.replaceChildren(...next.childNodes);
        for (const { name, value, checked } of typed) {
          const field = main.querySelector('input[name="' + name + '"]');
          if (field?.type === 'checkbox') field.checked = checked;
          else if (field && field.value === '') field.value = value;
        }
        for (const name of opened) main.querySelector('details.' + name)?.setAttribute('open', '');
        local();
      }
    }
    await pause(300);
  }`;

const amountWords = (amount: Amount): string => codedAmountText(amount, spoken());

/** The compiler finds a problem without words. */
const problems = (account: Asset): Record<StartProblem, string> => ({
  ...words.problems,
  invalid_amount: words.problems.invalid_amount({ example: exampleIn(account) }),
});

/** An example of an amount of the currency, as a visitor types it. */
const exampleIn = ({ assetScale }: Asset): string => plainNumberText((12.5).toFixed(Math.min(assetScale, 2)), spoken());

/** The page of an incoming payment: the payee, the amount, the state and the form with which a visitor pays. */
export function checkoutPage(view: CheckoutView): HtmlPage {
  const { payment, status, account } = view;
  const { publicName } = account;
  if (!view.isOpen && status === 'paid')
    return {
      title: words.title.paid({ payee: publicName }),
      body: shopHead(view.shop) + paidBody(view),
      hasForms: true,
      script: LOCAL_TIMES,
    };
  if (!view.isOpen)
    return {
      title: words.title.ended({ payee: publicName }),
      body: shopHead(view.shop) + endedBody(view),
      hasForms: payment.received > 0n,
    };
  const waits = view.attempt?.state === 'returned' || view.attempt?.state === 'paying' || payment.received > 0n;
  return {
    title: words.title.open({ payee: publicName }),
    body: shopHead(view.shop) + openBody(view),
    brand: view.shop?.colour ?? null,
    hasForms: true,
    script: SCRIPT,
    ...(waits && { noscript: `<meta http-equiv="refresh" content="${REFRESH_SECONDS}">` }),
  };
}

const TICK =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M17 3.34a10 10 0 1 1-15 8.98V12l.005-.324A10 10 0 0 1 17 3.34zm-1.293 5.953a1 1 0 0 0-1.32-.083l-.094.083L11 12.585l-1.293-1.292-.094-.083a1 1 0 0 0-1.403 1.403l.083.094 2 2 .094.083a1 1 0 0 0 1.226 0l.094-.083 4-4 .083-.094a1 1 0 0 0-.083-1.32z"/></svg>';

function paidBody(view: CheckoutView): string {
  const { payment, account, walletAddress, tag } = view;
  return `
    <div data-tag="${tag}" class="done" role="status">${TICK}
      <h1>${htmlOf(words.paid)}</h1>
      <p class="amount">${moneyHtml(amountWords({ ...account, value: payment.received }))}</p>
      <p class="payee">${htmlOf(words.paidTo({ payee: account.publicName }))}</p>
    </div>
    <p class="quiet centred"><bdi dir="ltr">${escapeHtml(bare(walletAddress))}</bdi><br>${timeHtml(payment.updatedAt)}</p>${billHtml(view)}${wayBack(view)}${receiptForm(view)}`;
}

const endings = (): Partial<Record<IncomingStatus, string>> => words.ended;

const endedBody = (view: CheckoutView): string => `
    ${head(view)}
    <p class="state" data-state="ended" role="status">${htmlOf(endings()[view.status] ?? words.ended.expired)}</p>${reasonLine(view)}${arrivedLine(view)}
    <p class="quiet">${htmlOf(words.endedAdvice)}</p>${wayBack(view)}${receiptForm(view)}`;

/** The link to the shop. It says the host, because this page only passes on what the payee has given. */
function wayBack({ returnUrl }: CheckoutView): string {
  if (returnUrl === null) return '';
  const { host } = new URL(returnUrl);
  return `\n    <p><a class="button" href="${escapeHtml(returnUrl)}" rel="noreferrer">${htmlOf(words.wayBack({ host }))}</a></p>`;
}

/** The button for the receipt. It is a form, because the node issues the receipt to the first one who asks. */
const receiptForm = ({ payment: { id, received } }: CheckoutView): string =>
  received === 0n
    ? ''
    : `\n    <form method="post" action="/pay/${id}/receipt"><button type="submit">${htmlOf(receiptPageWords.button)}</button></form>`;

/** The reason why the payee has cancelled it. It is marked as their words, because paydesk does not say it. */
const reasonLine = ({ cancelReason, account }: CheckoutView): string =>
  cancelReason === null
    ? ''
    : `<p>${htmlOf(words.cancelReason({ payee: account.publicName }))}</p><blockquote dir="auto">${escapeHtml(cancelReason)}</blockquote>`;

const arrivedLine = ({ payment: { received }, account }: CheckoutView): string =>
  received === 0n ? '' : `<p class="quiet">${htmlOf(words.arrived({ amount: amountWords({ ...account, value: received }) }))}</p>`;

/** What is missing after a part has come. It is what the visitor pays, and stands before what has arrived. */
const missingLine = ({ payment: { incomingAmount, received }, account }: CheckoutView): string => {
  if (incomingAmount === null || received === 0n || received >= incomingAmount) return '';
  return `<p>${htmlOf(words.missing({ amount: amountWords({ ...account, value: incomingAmount - received }) }))}</p>`;
};

/** The operator's words for the payer. Those of an app are not shown: they would stand under the operator's name. */
function purpose({ client, metadata }: IncomingPayment): string {
  if (client !== null) return '';
  const { description, reference } = said(metadata);
  return [
    ...(description === null ? [] : [`<p>${htmlOf([strong(description)])}</p>`]),
    ...(reference === null ? [] : [`<p class="quiet">${htmlOf(words.reference({ reference }))}</p>`]),
  ].join('');
}

/** The lines of the amount. They are the payee's words. */
function billHtml({ bill, account }: Pick<CheckoutView, 'bill' | 'account'>): string {
  if (bill === undefined) return '';
  const rows = billRows(bill, (value) => numberText({ ...account, value }, spoken()), spoken()).map(({ kind, text, detail, amount }) => {
    const more = detail === undefined ? '' : `<br><span class="quiet">${escapeHtml(detail)}</span>`;
    const shown = kind === 'total' ? `${amount} ${account.assetCode}` : amount;
    return `<tr data-kind="${kind}"><th scope="row">${htmlOf([strong(text)])}${more}</th><td>${htmlOf([strong(shown)])}</td></tr>`;
  });
  return `<table class="bill" aria-label="${htmlOf(billWords.label)}">${rows.join('')}</table>`;
}

function head(view: CheckoutView): string {
  const { payment, account, walletAddress, dueAt } = view;
  const { incomingAmount } = payment;
  const asked = incomingAmount === null ? htmlOf(words.anyAmount) : moneyHtml(amountWords({ ...account, value: incomingAmount }));
  const due = dueAt === null ? '' : `<p>${htmlOf(words.due({ day: utcText(dueAt) }), () => timeHtml(dueAt))}</p>`;
  return `
    <p class="payee">${htmlOf(words.pay({ payee: account.publicName }))}</p>
    <h1 class="amount">${asked}</h1>
    <p class="quiet"><bdi>${escapeHtml(bare(walletAddress))}</bdi></p>${purpose(payment)}${billHtml(view)}${due}`;
}

function openBody(view: CheckoutView): string {
  const { payment, tag, attempt, tried } = view;
  const { incomingAmount, received, expiresAt } = payment;
  const busy = tried === undefined && (attempt?.state === 'returned' || attempt?.state === 'paying');
  const receiving = received > 0n;
  const state = busy ? 'busy' : !receiving ? 'waiting' : view.status === 'paid' ? 'more' : 'receiving';
  const meter =
    receiving && incomingAmount !== null
      ? `<meter min="0" max="100" value="${percent(received, incomingAmount)}" aria-label="${htmlOf(words.howMuch)}"></meter>`
      : '';
  const ends =
    expiresAt === null ? '' : `<p class="quiet">${htmlOf(words.ends({ moment: utcText(expiresAt) }), () => timeHtml(expiresAt))}</p>`;
  return `
    <div data-tag="${tag}">${head(view)}
    <p class="state" data-state="${state}" role="status">${htmlOf(words.state[state])}</p>${meter}${missingLine(view)}${arrivedLine(view)}${ends}
    </div>
    <hr>${busy ? `<p class="quiet">${htmlOf(words.busyNote)}</p>` : payForm(view)}`;
}

/** The text for a visitor who was sent to a wallet and has not come back. Naming a wallet again gives that up. */
const approving = ({ id, incomingPaymentId, walletAddress }: Attempt): string => `
    <div class="note"><p>${htmlOf(words.sent({ wallet: bare(walletAddress) }), emphasized)}</p>
      <p><a class="button" href="/pay/${incomingPaymentId}/go/${id}">${htmlOf(words.goOn)}</a></p></div>`;

function payForm({ payment, account, attempt, tried, remembered }: CheckoutView): string {
  const problem = tried?.problem ?? attempt?.reason ?? undefined;
  const alert = problem === undefined ? '' : `<p class="alert" role="alert">${htmlOf(problems(account)[problem])}</p>`;
  const amount =
    payment.incomingAmount !== null
      ? ''
      : `
      <label for="amount">${htmlOf(words.amountIn({ currency: account.assetCode }))}</label>
      <input id="amount" name="amount" inputmode="decimal" autocomplete="off" required maxlength="40" value="${escapeHtml(tried?.amount ?? '')}">`;
  return `${attempt?.state === 'approving' ? approving(attempt) : ''}
    <form method="post" action="/pay/${payment.id}">${alert}${amount}
      <label for="wallet">${htmlOf(words.wallet)}</label>
      <span class="hint" id="wallet-hint">${htmlOf(words.walletHint)}</span>
      <input id="wallet" name="wallet" autocomplete="off" autocapitalize="none" spellcheck="false" required maxlength="2048" aria-describedby="wallet-hint" value="${escapeHtml(tried?.wallet ?? remembered ?? '')}">
      <details class="what"><summary>${htmlOf(words.what.title)}</summary>
        <p class="quiet">${htmlOf(words.what.words)}</p></details>
      <label class="choice"><input type="checkbox" name="remember" value="yes"${(tried?.remember ?? remembered !== undefined) ? ' checked' : ''}><span>${htmlOf(words.remember)}</span></label>
      <button type="submit">${htmlOf(words.payFromWallet)}</button>
    </form>
    <details class="phone"><summary>${htmlOf(words.phone.open)}</summary>
      <p class="quiet">${htmlOf(words.phone.advice)}</p>
      <img src="/pay/${payment.id}/code.svg" alt="${htmlOf(words.phone.code)}" width="220" height="220" loading="lazy">
    </details>`;
}

/** The page between this node and the visitor's wallet. It says where the browser will go. */
export function goPage({ url, wallet, debit }: { url: string; wallet: string; debit: Amount }, back: string): HtmlPage {
  const { host } = new URL(url);
  const target = escapeHtml(url);
  return {
    title: words.go.title,
    head: `\n  <meta http-equiv="refresh" content="2;url=${target}">`,
    body: `
    <h1>${htmlOf(words.go.title)}</h1>
    <dl><dt>${htmlOf(words.go.wallet)}</dt><dd><bdi>${escapeHtml(bare(wallet))}</bdi></dd><dt>${htmlOf(words.go.debit)}</dt><dd>${moneyHtml(amountWords(debit))}</dd></dl>
    <p>${htmlOf(words.go.sentTo({ host }), emphasized)}</p>
    <p><a class="button" href="${target}" rel="noreferrer">${htmlOf(words.go.button({ host }))}</a></p>
    <p class="quiet"><a href="${escapeHtml(back)}">${htmlOf(words.go.back)}</a></p>`,
  };
}

/** A page that says one thing. `back` is the address of the way back, where there is one, and `label` its words. */
export const wordsPage = ({ title, words: text }: { title: string; words: string }, back?: string, label = words.back): HtmlPage => ({
  title,
  body: `<h1>${htmlOf(title)}</h1><p>${htmlOf(text)}</p>${back === undefined ? '' : `<p><a class="button" href="${escapeHtml(back)}">${htmlOf(label)}</a></p>`}`,
});

/** The page for a visitor who typed no amount of the account. `back` is the address of the page with the form. */
export const noAmountPage = (account: Asset, back: string): HtmlPage => {
  const { title, words: text } = words.noAmount;
  return wordsPage({ title, words: text({ example: exampleIn(account) }) }, back);
};

const bare = (url: string): string => url.replace(/^https?:\/\//, '');
