import { expect, it, vi } from 'vitest';
import { askedRequest, unlimitedRequest } from '../testing/typed-terminal.ts';
import { allowedLines, requestLines } from './grant-request-text.ts';

vi.mock('../../../src-shared/words/language/locale.ts', () => ({ locale: () => 'en-US' }));

const now = new Date('2026-03-14T10:20:00Z');
const textOf = (...args: Parameters<typeof askedRequest>) => requestLines(askedRequest(...args), now).join('\n');

it('the text shows a request in the console’s words, with its exact terms', () => {
  const lines = requestLines(askedRequest(), now);
  expect(lines[0]).toBe('Request 00000000-0000-4000-8000-000000000001');
  expect(lines[2]).toMatch(/^ {2}Who asks +shop\.example\/till \(calls itself “Corner Bookshop”\)$/);
  expect(lines[3]).toMatch(/^ {2}Wants to +make payments$/);
  expect(lines).toContain('    outgoing-payment: create, read');
  expect(lines).toContain('      Most that leaves the account  $50.00');
  expect(lines).toContain('    From account        Corner Bakery (main)');
  expect(lines).toContain('    Browser returns to  shop.example');
  expect(lines.find((line) => line.includes('Lapses'))).toMatch(/\(in 9 minutes\)$/);
  expect(lines).toContain('    In a script         --confirm=-hash-of-what-is-shown');
});

it.each([
  [{ returnsTo: null }, 'The app gave no address to return to'],
  [{ client: { id: 'jwk:abc', host: null, selfAssertedName: null } }, 'no host vouches for it'],
  [{ unlimited: true, access: unlimitedRequest().access }, 'It asks for any amount. This app did not say how much'],
  [{ suggestedLimit: { value: 5_100n, assetCode: 'USD', assetScale: 2 } }, '$51.00 should be enough for what may arrive'],
  [{ unlimited: true, account: null }, 'no limit can be set. Deny it.'],
  [{ opened: false }, 'It can only be denied.'],
  [{ wrongCodes: 2 }, '2 wrong codes were typed so far.'],
  [{ subject: 'https://pay.example/main' }, 'Proof that this wallet address is yours'],
  [{ nextWindows: [{ start: new Date('2026-04-01T00:00:00Z'), end: new Date('2026-05-01T00:00:00Z') }] }, 'April 1, 2026 to May 1, 2026.'],
])('the text says what %o means', (over, words) => {
  expect(textOf(over).replace(/\s+/g, ' ')).toContain(words);
  expect(textOf().replace(/\s+/g, ' ')).not.toContain(words);
});

it('the text holds no character that controls a terminal, wherever a stranger wrote it', () => {
  const evil = 'a\u001b[2J\u009b1mb\u202ec\u2066\r\nd\u0007';
  const text = textOf({
    client: { id: `https://evil.test/${evil}`, host: `evil.test/${evil}`, selfAssertedName: evil },
    returnsTo: `https://evil.test/${evil}`,
    subject: `https://pay.example/${evil}`,
    access: [
      {
        type: 'outgoing-payment',
        actions: ['create'],
        identifier: `https://pay.example/${evil}`,
        limits: { receiver: `https://x.test/incoming-payments/${evil}`, interval: evil, debitAmount: null, receiveAmount: null },
      },
    ],
  });
  expect(text).toContain('b');
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

it('the text cuts a long name in the lines and shows it in full below', () => {
  const name = 'long '.repeat(40).trim();
  const text = textOf({ client: { id: 'https://a.test/x', host: 'a.test/x', selfAssertedName: name } });
  expect(text.replace(/\s+/g, ' ')).toMatch(/calls itself “(long ){15}lon?g?…”\) Wants to/);
  expect(text.replace(/\s+/g, ' ')).toContain(`Calls itself ${name} From`);
});

it('the text says what the app gets on other terms', () => {
  const text = allowedLines(unlimitedRequest(), undefined).join(' ').replace(/\s+/g, ' ');
  expect(text).toContain('By your terms May make payments From account Corner Bakery');
  expect(text).toContain('How much any amount To whom anyone May also see the payments it made Until when until you revoke it');
});
