import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { incomingStatus } from '../../../src-shared/incoming-status.ts';
import { checkoutWords } from '../../../src-shared/words/pages/checkout-words.ts';
import type { Attempt } from '../../checkout/attempt-rows.ts';
import { type IncomingPayment, incomingFacts } from '../../payments/incoming/incoming-payments.ts';
import { openPayments, type Payments } from '../../payments/testing/payments.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { checkoutPage } from './checkout-html.ts';

let test: Payments;
let account: WalletAddress;
let payment: IncomingPayment;
beforeEach(async () => {
  test = openPayments();
  account = await test.account('shop', 0n);
  const made = await test.incomingPayments.create({ walletAddress: account, client: null });
  if (!made.ok) throw new Error(made.error);
  payment = made.value;
});
afterEach(() => test.close());

/** What every page has here. */
const NEW = { cancelReason: null, dueAt: null, returnUrl: null, bill: undefined, tag: 'a' };

/** The page as a visitor sees it who has made an attempt to pay. */
function pageAfter(reason: Attempt['reason'], state: Attempt['state'] = 'failed'): string {
  const at = test.clock.now();
  const attempt: Attempt = {
    id: 'one',
    incomingPaymentId: payment.id,
    state,
    reason,
    visitorHash: 'hash',
    walletAddress: 'https://wallet.example/ann',
    amount: 100n,
    sealed: null,
    outgoingPayment: null,
    receivedBefore: null,
    tries: 0,
    dueAt: null,
    claims: 0,
    claimedUntil: null,
    holder: null,
    createdAt: at,
    lapsesAt: at,
    updatedAt: at,
  };
  return checkoutPage({ payment, status: 'waiting', isOpen: true, account, walletAddress: 'https://pay.example/shop', attempt, ...NEW })
    .body;
}

it('the page tells a visitor to look before paying again when a restored node has lost track of the payment', () => {
  expect(pageAfter('interrupted')).toContain(checkoutWords.problems.interrupted);
  expect(pageAfter('interrupted')).toContain('role="alert"');
});

it('the page says what a wallet address is, beside the field for it', () => {
  expect(pageAfter(null)).toMatch(/<summary>What is a wallet address\?<\/summary>\s*<p class="quiet">It is the address of your account/);
});

it('the page tells of no problem when nothing went wrong', () => {
  expect(pageAfter(null)).not.toContain('role="alert"');
});

it('the way back to the shop is offered once the payment is over, with its host', () => {
  const returnUrl = 'https://web-shop.example/orders/7?a="b"';
  const view = { payment, account, walletAddress: 'https://pay.example/shop', attempt: undefined, ...NEW, returnUrl };
  const link = '<a class="button" href="https://web-shop.example/orders/7?a=&quot;b&quot;" rel="noreferrer">Back to web-shop.example</a>';
  expect(checkoutPage({ ...view, status: 'waiting', isOpen: true }).body).not.toContain('web-shop');
  expect(checkoutPage({ ...view, status: 'paid', isOpen: false }).body).toContain(link);
  expect(checkoutPage({ ...view, status: 'expired', isOpen: false }).body).toContain(link);
});

it('a remembered wallet address is filled in, and can carry no HTML', () => {
  const view = {
    payment,
    account,
    walletAddress: 'https://pay.example/shop',
    attempt: undefined,
    status: 'waiting',
    isOpen: true,
  } as const;
  const { body } = checkoutPage({ ...view, ...NEW, remembered: 'x"><b>' });
  expect(body).toContain('value="x&quot;&gt;&lt;b&gt;"');
  expect(body).toContain('name="remember" value="yes" checked');
  expect(checkoutPage({ ...view, ...NEW }).body).toContain('name="remember" value="yes">');
});

describe('a payment that takes no more money', () => {
  const ended = (facts: Partial<IncomingPayment>, cancelReason: string | null = null) => {
    const shown = { ...payment, ...facts };
    const [now, walletAddress] = [test.clock.now(), 'https://pay.example/shop'];
    const status = incomingStatus(incomingFacts(shown), now);
    return checkoutPage({ payment: shown, status, isOpen: false, account, walletAddress, attempt: undefined, ...NEW, cancelReason });
  };

  it.each<[string, Partial<IncomingPayment>, string]>([
    ['an app ended it', { client: 'https://shop.example/till', completed: true }, checkoutWords.ended.nothing_received],
    ['the payee cancelled it', { completed: true }, checkoutWords.ended.cancelled],
    ['its time is over', { expiresAt: 1 }, checkoutWords.ended.expired],
    ['a part arrived', { completed: true, incomingAmount: 500n, received: 100n }, checkoutWords.ended.partly_paid],
  ])('has no tick when %s', (_, facts, words) => {
    const { title, body } = ended(facts);
    expect(body).toContain(words);
    expect(`${title} ${body}`).not.toMatch(/<svg|class="done"|Paid:|>Paid</);
  });

  it('says why in the words of the payee, made safe, and as theirs', () => {
    const { body } = ended({ completed: true }, '<b>Sold out</b>');
    expect(body).toMatch(/shop.* says:<\/p><blockquote dir="auto">&lt;b&gt;Sold out&lt;\/b&gt;</);
    expect(ended({ completed: true }).body).not.toContain('<blockquote');
  });

  it('has the tick and what arrived when it is paid', () => {
    const { title, body } = ended({ completed: true, incomingAmount: 500n, received: 500n });
    expect(title).toBe('Paid: shop');
    expect(body).toMatch(/class="done"[\s\S]*<svg[\s\S]*>Paid<[\s\S]*5\.00/);
  });
});

it('a visitor who was sent to a wallet and came back without an answer finds the way there again', () => {
  const page = pageAfter(null, 'approving');
  expect(page).toContain(`<a class="button" href="/pay/${payment.id}/go/one">${checkoutWords.goOn}</a>`);
  expect(page).toMatch(/You were sent to .*wallet\.example\/ann/);
  expect(page).toContain('name="wallet"');
  expect(pageAfter('too_late')).not.toContain('/go/');
});

it.each<[string, Partial<IncomingPayment>, RegExp | undefined]>([
  [
    'after a part',
    { incomingAmount: 2_200n, received: 1_000n },
    /<p>.*12\.00.USD.* is still missing\.<\/p>[\s\S]*10\.00.USD.* has arrived/,
  ],
  ['before anything came', { incomingAmount: 2_200n }, undefined],
  ['for any amount', { received: 1_000n }, undefined],
])('the page says what is missing: %s', (_, facts, said) => {
  const shown = { ...payment, ...facts };
  const status = incomingStatus(incomingFacts(shown), test.clock.now());
  const view = { payment: shown, status, isOpen: true, account, walletAddress: 'https://pay.example/shop', attempt: undefined };
  const { body } = checkoutPage({ ...view, ...NEW });
  if (said === undefined) expect(body).not.toContain('missing');
  else expect(body).toMatch(said);
});

it('the page shows what the amount consists of and by when to pay, made safe, and adds nothing up by itself', () => {
  const bill = {
    ...{ pricesIncludeTax: false, rates: [{ name: 'VAT', rate: 19_000, net: 2_000n, taxAmount: 380n }], tip: 50n, total: 2_430n },
    lines: [{ text: '<b>Book</b>', quantity: 2_500, unitPrice: 800n, tax: null, amount: 2_000n, net: 2_000n, taxAmount: 380n }],
  };
  const view = { status: 'waiting' as const, isOpen: true, account, walletAddress: 'https://pay.example/shop', attempt: undefined };
  const dueAt = Date.UTC(2026, 2, 14, 22, 59);
  const { body } = checkoutPage({ ...view, payment: { ...payment, incomingAmount: 2_430n }, ...NEW, bill, dueAt });
  const rows = [...body.matchAll(/<tr data-kind="(\w+)">(.*?)<\/tr>/g)].map(([, kind, row = '']) => [kind, row.replace(/<[^>]*>/g, '|')]);
  expect(rows.map(([kind, row]) => [kind, row?.split('|').filter((piece) => piece !== '')])).toEqual([
    ['line', ['&lt;b&gt;Book&lt;/b&gt;', '2.5 × 8.00', '20.00']],
    ['tax', ['plus 19% VAT on 20.00', '3.80']],
    ['tip', ['Tip', '0.50']],
    ['total', ['Total', '24.30 USD']],
  ]);
  expect(body).toContain('Please pay by <time datetime="2026-03-14T22:59:00.000Z">');
});

it('the page shows what the operator wrote for the payer, made safe, and nothing that an app wrote', () => {
  const metadata = { description: '<b>Two books</b>', externalRef: 'INV-7' };
  const page = (client: string | null) => {
    const view = { status: 'waiting' as const, isOpen: true, account, walletAddress: 'https://pay.example/shop', attempt: undefined };
    return checkoutPage({ ...view, payment: { ...payment, client, metadata }, ...NEW }).body;
  };
  expect(page(null)).toContain('&lt;b&gt;Two books&lt;/b&gt;');
  expect(page(null)).toContain('INV-7');
  expect(page('https://shop.example/till')).not.toMatch(/Two books|INV-7/);
});
