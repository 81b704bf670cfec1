import { describe, expect, it, test, vi } from 'vitest';
import type { AccessRight } from '../operator-contract/access.ts';
import type { ApprovalRequest } from '../operator-contract/approvals.ts';
import { consent } from './consent.ts';
import { dateTimeText, timeText } from './date-text.ts';
import { plain } from './words.ts';

// The words, dates and amounts are in American English on every machine that runs the tests.
vi.mock('./language/locale.ts', () => ({ locale: () => 'en-US' }));

const usd = (value: bigint) => ({ value, assetCode: 'USD', assetScale: 2 });
const eur = (value: bigint) => ({ value, assetCode: 'EUR', assetScale: 2 });
const wallet = 'https://pay.example/main';
const lapsesAt = new Date('2026-03-14T10:29:00Z');
const NONE = { receiver: null, interval: null, debitAmount: null, receiveAmount: null };

const spend = (limits: Partial<typeof NONE> | Record<string, unknown> | null): AccessRight => ({
  type: 'outgoing-payment',
  actions: ['create'],
  identifier: wallet,
  limits: limits === null ? null : { ...NONE, ...limits },
});

const request = (over: Partial<ApprovalRequest>): ApprovalRequest => ({
  id: '00000000-0000-4000-8000-000000000001',
  client: { id: 'https://shop.example/till', host: 'shop.example/till', selfAssertedName: null },
  access: [spend(null)],
  subject: null,
  account: { id: '00000000-0000-4000-8000-000000000002', name: 'main', publicName: 'Corner Bakery', walletAddress: wallet },
  payee: null,
  nextWindows: [],
  returnsTo: 'https://shop.example/return?x=1',
  opened: true,
  unlimited: false,
  suggestedLimit: null,
  wrongCodes: 0,
  createdAt: lapsesAt,
  lapsesAt,
  shownHash: 'x',
  ...over,
});

const sentence = (over: Partial<ApprovalRequest>) => plain(consent.sentence(request(over)));
const END = `; the request lapses at ${timeText(lapsesAt)}, and the browser then returns to shop.example.`;
const FROM = 'shop.example/till asks to make payments from your account Corner Bakery (pay.example/main)';
const MONTHLY = 'R/2026-01-01T00:00:00Z/P1M';

describe('the text of an interval', () => {
  test.each([
    [MONTHLY, 'every month, counted from January 1, 2026'],
    ['R/2026-01-01T00:00:00Z/P1D', 'every day, counted from January 1, 2026'],
    ['R/2026-01-01T00:00:00Z/P1W', 'every week, counted from January 1, 2026'],
    ['R-1/2026-01-01T00:00:00Z/P1Y', 'every year, counted from January 1, 2026'],
    ['R12/2026-01-01T00:00:00Z/P1M', 'every month, counted from January 1, 2026, 12 times'],
    ['R/2026-01-31T00:00:00Z/P3M', 'every 3 months, counted from January 31, 2026'],
    ['R/2026-01-01T09:30:00Z/PT6H', 'every 6 hours, counted from January 1, 2026, 09:30 UTC'],
    ['R/2026-01-01T00:00:00+02:00/P1D', 'every day, counted from December 31, 2025, 22:00 UTC'],
    ['R/2026-01-01T00:00:00Z/P1M15D', 'every 1 month and 15 days, counted from January 1, 2026'],
    ['R0/2026-01-01T00:00:00Z/P1M', 'once, for one month from January 1, 2026'],
    ['R1/2026-01-01T00:00:00Z/P2W', 'once, for 2 weeks from January 1, 2026'],
    ['R1/2026-01-01T00:00:00Z/2026-02-01T00:00:00Z', 'once, for 31 days from January 1, 2026'],
    ['R/2026-01-01T00:00:00Z/2026-01-08T00:00:00Z', 'every week, counted from January 1, 2026'],
    ['R4/2026-01-01T00:00:00Z/2026-02-01T00:00:00Z', 'every 31 days, counted from January 1, 2026, 4 times'],
    ['R/P1M/2026-01-01T00:00:00Z', 'every month, counted from December 1, 2025'],
  ])('says %s as "%s"', (text, words) => {
    expect(consent.interval(text)).toBe(words);
  });

  test.each(['every month', 'R/2026-01-01/P1M', 'R/2026-13-01T00:00:00Z/P1M', 'R/2026-01-01T00:00:00Z/P', 'Rx/2026-01-01T00:00:00Z/P1M'])(
    'shows %s unchanged, because it is no interval',
    (text) => {
      expect(consent.interval(text)).toBe(`repeating as ${text}`);
    },
  );

  test('is inert, even when it is shown unchanged', () => {
    expect(consent.interval('R/\u202Ex')).toBe('repeating as R/x');
  });
});

describe('the sentence of consent', () => {
  test.each<[string, Parameters<typeof spend>[0], string]>([
    ['no limits', null, ' of any amount, to anyone'],
    ['empty limits', {}, ' of any amount, to anyone'],
    ['a debit amount', { debitAmount: usd(5000n) }, ' of up to $50.00 in total, to anyone'],
    [
      'a debit amount a month',
      { debitAmount: usd(5000n), interval: MONTHLY },
      ' of up to $50.00 every month, counted from January 1, 2026, to anyone',
    ],
    [
      'a receive amount',
      { receiveAmount: eur(2300n) },
      ' of any amount (until the receivers say that €23.00 have arrived in total), to anyone',
    ],
    [
      'a receive amount a month',
      { receiveAmount: eur(2300n), interval: MONTHLY },
      ' of any amount (until the receivers say that €23.00 have arrived every month, counted from January 1, 2026), to anyone',
    ],
    [
      'both amounts',
      { debitAmount: usd(2500n), receiveAmount: eur(2300n) },
      ' of up to $25.00 and until €23.00 have arrived in total, to anyone',
    ],
    [
      'one receiver',
      { debitAmount: usd(1n), receiver: 'https://wallet.example/incoming-payments/1' },
      ' of up to $0.01 in total, only to wallet.example/incoming-payments/1',
    ],
    [
      'one receiver, any amount',
      { receiver: 'https://wallet.example/incoming-payments/1' },
      ' of any amount, only to wallet.example/incoming-payments/1',
    ],
    ['an interval without an amount', { interval: MONTHLY }, ' of any amount, to anyone'],
    [
      'a receive amount for one receiver',
      { receiveAmount: eur(2300n), receiver: 'https://wallet.example/incoming-payments/1' },
      ' of any amount (until the receiver says that €23.00 have arrived in total), only to wallet.example/incoming-payments/1',
    ],
    [
      'the largest amount there is',
      { debitAmount: usd(2n ** 64n - 1n) },
      ' of any amount (up to $184,467,440,737,095,516.15 in total), to anyone',
    ],
    [
      'an amount every second',
      { debitAmount: usd(5000n), receiveAmount: eur(1n), interval: 'R/2026-01-01T00:00:00Z/PT1S' },
      ' of any amount (up to $50.00 and until the receivers say that €0.01 have arrived every second, counted from January 1, 2026), to anyone',
    ],
    ['an amount of points', { debitAmount: { value: 5n, assetCode: 'PTS', assetScale: 0 } }, ' of up to 5\u00a0PTS in total, to anyone'],
  ])('tells the limits of a right with %s', (_name, limits, expected) => {
    expect(sentence({ access: [spend(limits)] })).toBe(FROM + expected + END);
  });

  test('names the next dates of a repeating limit', () => {
    const nextWindows = ['2026-03', '2026-04'].map((month) => ({
      start: new Date(`${month}-01T00:00:00Z`),
      end: new Date(`${month}-28T00:00:00Z`),
    }));
    expect(sentence({ access: [spend({ debitAmount: usd(5000n), interval: MONTHLY })], nextWindows })).toContain(
      'every month, counted from January 1, 2026 (beginning March 1, 2026 and April 1, 2026), to anyone',
    );
  });

  test('names the rights that spend first, and all others after them', () => {
    const access: AccessRight[] = [
      { type: 'quote', actions: ['create', 'read'], identifier: null, limits: null },
      { type: 'incoming-payment', actions: ['create', 'complete', 'read-all'], identifier: null, limits: null },
      { ...spend({ debitAmount: usd(100n) }), actions: ['create', 'list'] },
    ];
    expect(sentence({ access, subject: wallet })).toBe(
      `${FROM} of up to $1.00 in total, to anyone, and also to ask what a payment would cost, ask for money to be paid into every account, ` +
        `close its payment requests, see every incoming payment, see the payments it made, and prove that pay.example/main is yours${END}`,
    );
  });

  test('names no spending for a request that spends nothing', () => {
    const access: AccessRight[] = [{ type: 'outgoing-payment', actions: ['read-all'], identifier: wallet, limits: null }];
    expect(sentence({ access })).toBe(`shop.example/till asks to see every outgoing payment${END}`);
    expect(sentence({ access: [], subject: wallet })).toBe(`shop.example/till asks to prove that pay.example/main is yours${END}`);
    expect(sentence({ access: [] })).toBe(`shop.example/till asks to do nothing${END}`);
  });

  test('puts the verified host first and marks what the app says about itself', () => {
    const client = { id: 'https://evil.test/x', host: 'evil.test/x', selfAssertedName: 'Your \u202Eknab\u202C <b>Bank</b>' };
    expect(sentence({ client })).toMatch(/^evil\.test\/x \(calls itself “Your knab <b>Bank<\/b>”\) asks to /);
    expect(sentence({ client: { ...client, selfAssertedName: '\u200B' } })).toMatch(/^evil\.test\/x asks to /);
  });

  test('keeps a name inside its quotation marks, so that it cannot continue as paydesk’s own words', () => {
    const client = { id: 'https://evil.test/x', host: 'evil.test/x', selfAssertedName: 'Shop”) asks to do nothing. («x' };
    expect(sentence({ client })).toMatch(/^evil\.test\/x \(calls itself “Shop’\) asks to do nothing\. \(’x”\) asks to make payments /);
  });

  test('names an app without a host by its key', () => {
    expect(sentence({ client: { id: 'jwk:abc', host: null, selfAssertedName: null } })).toMatch(/^App with key abc asks to /);
  });

  test('names an account that the node does not have by its wallet address', () => {
    expect(sentence({ account: null })).toContain('make payments from pay.example/main of any amount');
    expect(sentence({ access: [{ ...spend(null), identifier: null }], account: null })).toContain(
      'make payments from every account of any amount',
    );
  });

  test('says when nobody is sent back', () => {
    expect(sentence({ returnsTo: null })).toMatch(/, and nobody is sent back afterwards\.$/);
  });
});

test('granted rights are phrases, and each phrase occurs once', () => {
  const right: AccessRight = { type: 'quote', actions: ['create'], identifier: null, limits: null };
  expect(consent.rights([right, right]).map(plain)).toEqual(['ask what a payment would cost']);
  expect(plain(consent.rightsListed([right, spend({ debitAmount: usd(100n) })]))).toBe(
    'make payments from pay.example/main of up to $1.00 in total, to anyone, and ask what a payment would cost',
  );
});

describe('the sentence of what the operator allows', () => {
  const allowed = (over: Partial<ApprovalRequest>, expiresAt?: Date) => plain(consent.allowed(request(over), expiresAt));
  const MAY = 'By your terms shop.example/till may make payments from your account Corner Bakery (pay.example/main)';

  test.each([
    [{ debitAmount: usd(1250n), interval: MONTHLY }, ' of up to $12.50 every month, counted from January 1, 2026, to anyone'],
    [{ debitAmount: usd(1n), receiveAmount: eur(2n) }, ' of up to $0.01 and until €0.02 have arrived in total, to anyone'],
    [null, ' of any amount, to anyone'],
  ])('tells the limits %o', (limits, words) => {
    expect(allowed({ access: [spend(limits)] })).toBe(`${MAY}${words}, without an end.`);
  });

  test('says when the permission ends', () => {
    const end = new Date(2026, 2, 16);
    expect(allowed({ access: [spend({ debitAmount: usd(1n) })] }, end)).toBe(
      `${MAY} of up to $0.01 in total, to anyone, all of it until ${dateTimeText(end)}.`,
    );
  });
});

describe('who is paid', () => {
  const receiver = 'https://wallet.example/incoming-payments/1';
  const to = (payee: ApprovalRequest['payee']) => {
    const words = sentence({ access: [spend({ receiver, debitAmount: { value: 500n, assetCode: 'USD', assetScale: 2 } })], payee });
    return words.slice(words.indexOf(', only to ') + 2, words.indexOf('; the request'));
  };
  const payee = { receiver, walletAddress: 'https://wallet.example/till', publicName: 'The shop' };

  it('is named with the address that the name belongs to', () => {
    expect(to(payee)).toBe('only to “The shop” (wallet.example/till)');
  });

  it('is the address where there is no name, and the receiver where nothing is known of it', () => {
    expect(to({ ...payee, publicName: null })).toBe('only to wallet.example/till');
    expect(to({ ...payee, publicName: ' \u202e\u2800' })).toBe('only to wallet.example/till');
    expect(to(null)).toBe('only to wallet.example/incoming-payments/1');
    expect(to({ ...payee, receiver: 'https://wallet.example/incoming-payments/2' })).toBe('only to wallet.example/incoming-payments/1');
  });

  it('cannot write the sentence on, nor hide its address', () => {
    expect(to({ ...payee, publicName: 'me”, up to $0.01 (“' })).toBe('only to “me’, up to $0.01 (’” (wallet.example/till)');
    expect(to({ ...payee, publicName: '\u202eevil\n\n' })).toBe('only to “evil” (wallet.example/till)');
    expect(to({ ...payee, publicName: 'x'.repeat(2_000) })).toBe(`only to “${'x'.repeat(59)}…” (wallet.example/till)`);
  });
});
