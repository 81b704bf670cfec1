import { describe, expect, it, test, vi } from 'vitest';
import type { AccessRight } from '../operator-contract/access.ts';
import type { ApprovalRequest } from '../operator-contract/approvals.ts';
import { type ConsentLine, consent } from './consent.ts';
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

/** The lines as text, such as "How much: up to $50.00". */
const textOf = (lines: readonly ConsentLine[]) =>
  lines.map(({ label, values }) => `${label}: ${values.map((value) => plain(value)).join(' + ')}`);
const asked = (over: Partial<ApprovalRequest>) => textOf(consent.asked(request(over)));
const END = ['Until when: until you revoke it', `Answer by: ${timeText(lapsesAt)}. The browser then returns to shop.example.`];
const FROM = ['Who asks: shop.example/till', 'Wants to: make payments', 'From account: Corner Bakery (pay.example/main)'];
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

describe('the lines of consent', () => {
  const inTotal = 'How often: once: it is the limit for all payments together';
  const monthly = 'How often: every month, counted from January 1, 2026';
  const anyone = 'To whom: anyone';
  test.each<[string, Parameters<typeof spend>[0], string[]]>([
    ['no limits', null, ['How much: any amount', anyone]],
    ['empty limits', {}, ['How much: any amount', anyone]],
    ['a debit amount', { debitAmount: usd(5000n) }, ['How much: up to $50.00', inTotal, anyone]],
    ['a debit amount a month', { debitAmount: usd(5000n), interval: MONTHLY }, ['How much: up to $50.00', monthly, anyone]],
    [
      'a receive amount',
      { receiveAmount: eur(2300n) },
      ['How much: any amount (until the receivers say that €23.00 have arrived)', inTotal, anyone],
    ],
    [
      'a receive amount a month',
      { receiveAmount: eur(2300n), interval: MONTHLY },
      ['How much: any amount (until the receivers say that €23.00 have arrived)', monthly, anyone],
    ],
    [
      'both amounts',
      { debitAmount: usd(2500n), receiveAmount: eur(2300n) },
      ['How much: up to $25.00, until €23.00 have arrived', inTotal, anyone],
    ],
    [
      'one receiver',
      { debitAmount: usd(1n), receiver: 'https://wallet.example/incoming-payments/1' },
      ['How much: up to $0.01', inTotal, 'To whom: only wallet.example/incoming-payments/1'],
    ],
    [
      'one receiver, any amount',
      { receiver: 'https://wallet.example/incoming-payments/1' },
      ['How much: any amount', 'To whom: only wallet.example/incoming-payments/1'],
    ],
    ['an interval without an amount', { interval: MONTHLY }, ['How much: any amount', anyone]],
    [
      'a receive amount for one receiver',
      { receiveAmount: eur(2300n), receiver: 'https://wallet.example/incoming-payments/1' },
      [
        'How much: any amount (until the receiver says that €23.00 have arrived)',
        inTotal,
        'To whom: only wallet.example/incoming-payments/1',
      ],
    ],
    [
      'the largest amount there is',
      { debitAmount: usd(2n ** 64n - 1n) },
      ['How much: any amount (up to $184,467,440,737,095,516.15)', inTotal, anyone],
    ],
    [
      'an amount every second',
      { debitAmount: usd(5000n), receiveAmount: eur(1n), interval: 'R/2026-01-01T00:00:00Z/PT1S' },
      [
        'How much: any amount (up to $50.00, until the receivers say that €0.01 have arrived)',
        'How often: every second, counted from January 1, 2026',
        anyone,
      ],
    ],
    [
      'an amount of points',
      { debitAmount: { value: 5n, assetCode: 'PTS', assetScale: 0 } },
      ['How much: up to 5\u00a0PTS', inTotal, anyone],
    ],
  ])('tell the limits of a right with %s', (_name, limits, expected) => {
    expect(asked({ access: [spend(limits)] })).toEqual([...FROM, ...expected, ...END]);
  });

  test('name the next dates of a repeating limit', () => {
    const nextWindows = ['2026-03', '2026-04'].map((month) => ({
      start: new Date(`${month}-01T00:00:00Z`),
      end: new Date(`${month}-28T00:00:00Z`),
    }));
    expect(asked({ access: [spend({ debitAmount: usd(5000n), interval: MONTHLY })], nextWindows })).toContain(
      'How often: every month, counted from January 1, 2026 (beginning March 1, 2026 and April 1, 2026)',
    );
  });

  test('name the rights that spend first, and all others after them', () => {
    const access: AccessRight[] = [
      { type: 'quote', actions: ['create', 'read'], identifier: null, limits: null },
      { type: 'incoming-payment', actions: ['create', 'complete', 'read-all'], identifier: null, limits: null },
      { ...spend({ debitAmount: usd(100n) }), actions: ['create', 'list'] },
    ];
    expect(asked({ access, subject: wallet })).toEqual([
      ...FROM,
      'How much: up to $1.00',
      inTotal,
      anyone,
      'Also wants to: ask what a payment would cost + ask for money to be paid into every account + close its payment requests + ' +
        'see every incoming payment + see the payments it made + prove that pay.example/main is yours',
      ...END,
    ]);
  });

  test('tell every right to spend, and each different one once', () => {
    const other = { ...spend({ debitAmount: usd(200n) }), identifier: 'https://pay.example/second' };
    expect(asked({ access: [spend({ debitAmount: usd(100n) }), other, spend({ debitAmount: usd(100n) })] })).toEqual([
      ...[...FROM, 'How much: up to $1.00', inTotal, anyone],
      ...['Also wants to: make payments', 'From account: pay.example/second', 'How much: up to $2.00', inTotal, anyone],
      ...END,
    ]);
  });

  test('name no spending for a request that spends nothing', () => {
    const access: AccessRight[] = [{ type: 'outgoing-payment', actions: ['read-all'], identifier: wallet, limits: null }];
    const [who = ''] = FROM;
    const [, answer = ''] = END;
    expect(asked({ access })).toEqual([who, 'Wants to: see every outgoing payment', ...END]);
    expect(asked({ access: [], subject: wallet })).toEqual([who, 'Wants to: prove that pay.example/main is yours', answer]);
    expect(asked({ access: [] })).toEqual([who, 'Wants to: do nothing', answer]);
  });

  test('put the verified host first and mark what the app says about itself', () => {
    const client = { id: 'https://evil.test/x', host: 'evil.test/x', selfAssertedName: 'Your \u202Eknab\u202C <b>Bank</b>' };
    expect(asked({ client })[0]).toBe('Who asks: evil.test/x (calls itself “Your knab <b>Bank</b>”)');
    expect(asked({ client: { ...client, selfAssertedName: '\u200B' } })[0]).toBe('Who asks: evil.test/x');
  });

  test('keep a name inside its quotation marks, so that it cannot continue as paydesk’s own words', () => {
    const client = { id: 'https://evil.test/x', host: 'evil.test/x', selfAssertedName: 'Shop”) asks to do nothing. («x' };
    expect(asked({ client })[0]).toBe('Who asks: evil.test/x (calls itself “Shop’) asks to do nothing. (’x”)');
  });

  test('name an app without a host by its key', () => {
    expect(asked({ client: { id: 'jwk:abc', host: null, selfAssertedName: null } })[0]).toBe('Who asks: App with key abc');
  });

  test('name an account that the node does not have by its wallet address', () => {
    expect(asked({ account: null })).toContain('From account: pay.example/main');
    expect(asked({ access: [{ ...spend(null), identifier: null }], account: null })).toContain('From account: every account');
  });

  test('say when nobody is sent back', () => {
    expect(asked({ returnsTo: null }).at(-1)).toMatch(/\. Nobody is sent back afterwards\.$/);
  });
});

test('granted rights are phrases, and each phrase occurs once', () => {
  const right: AccessRight = { type: 'quote', actions: ['create'], identifier: null, limits: null };
  expect(consent.rights([right, right]).map(plain)).toEqual(['ask what a payment would cost']);
  expect(plain(consent.rightsListed([right, spend({ debitAmount: usd(100n) })]))).toBe(
    'make payments from pay.example/main of up to $1.00 in total, to anyone, and ask what a payment would cost',
  );
});

describe('the lines of what the operator allows', () => {
  const allowed = (over: Partial<ApprovalRequest>, expiresAt?: Date) => textOf(consent.allowed(request(over), expiresAt));
  const MAY = ['May: make payments', 'From account: Corner Bakery (pay.example/main)'];
  const anyone = 'To whom: anyone';
  const noEnd = 'Until when: until you revoke it';

  test.each([
    [
      { debitAmount: usd(1250n), interval: MONTHLY },
      ['How much: up to $12.50', 'How often: every month, counted from January 1, 2026', anyone],
    ],
    [
      { debitAmount: usd(1n), receiveAmount: eur(2n) },
      ['How much: up to $0.01, until €0.02 have arrived', 'How often: once: it is the limit for all payments together', anyone],
    ],
    [null, ['How much: any amount', anyone]],
  ])('tell the limits %o', (limits, lines) => {
    expect(allowed({ access: [spend(limits)] })).toEqual([...MAY, ...lines, noEnd]);
  });

  test('tell what else the app may do', () => {
    const access: AccessRight[] = [{ ...spend(null), actions: ['create', 'read'] }];
    expect(allowed({ access })).toContain('May also: see the payments it made');
  });

  test('say when the permission ends', () => {
    const end = new Date(2026, 2, 16);
    expect(allowed({ access: [spend({ debitAmount: usd(1n) })] }, end).at(-1)).toBe(`Until when: ${dateTimeText(end)}`);
  });
});

describe('who is paid', () => {
  const receiver = 'https://wallet.example/incoming-payments/1';
  const to = (payee: ApprovalRequest['payee']) =>
    asked({ access: [spend({ receiver, debitAmount: usd(500n) })], payee }).find((line) => line.startsWith('To whom: '));
  const payee = { receiver, walletAddress: 'https://wallet.example/till', publicName: 'The shop' };

  it('is named with the address that the name belongs to', () => {
    expect(to(payee)).toBe('To whom: only “The shop” (wallet.example/till)');
  });

  it('is the address where there is no name, and the receiver where nothing is known of it', () => {
    expect(to({ ...payee, publicName: null })).toBe('To whom: only wallet.example/till');
    expect(to({ ...payee, publicName: ' \u202e\u2800' })).toBe('To whom: only wallet.example/till');
    expect(to(null)).toBe('To whom: only wallet.example/incoming-payments/1');
    expect(to({ ...payee, receiver: 'https://wallet.example/incoming-payments/2' })).toBe(
      'To whom: only wallet.example/incoming-payments/1',
    );
  });

  it('cannot write the line on, nor hide its address', () => {
    expect(to({ ...payee, publicName: 'me”, up to $0.01 (“' })).toBe('To whom: only “me’, up to $0.01 (’” (wallet.example/till)');
    expect(to({ ...payee, publicName: '\u202eevil\n\n' })).toBe('To whom: only “evil” (wallet.example/till)');
    expect(to({ ...payee, publicName: 'x'.repeat(2_000) })).toBe(`To whom: only “${'x'.repeat(59)}…” (wallet.example/till)`);
  });
});
