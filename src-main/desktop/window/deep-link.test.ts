import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { screenIn, screenOf } from './deep-link.ts';

const ID = '4be1c9d2-7a10-4c3e-9f00-0123456789ab';

const KNOWN: [string, string][] = [
  ['paydesk://overview', '/'],
  ['paydesk://payments', '/payments'],
  ['paydesk://payments/', '/payments'],
  [`paydesk://payments/${ID}`, `/payments/${ID}`],
  ['paydesk://approvals', '/approvals'],
  [`paydesk://approvals/${ID}`, `/approvals/${ID}`],
  [`paydesk://apps/${ID}/`, `/apps/${ID}`],
  [`paydesk://accounts/${ID}`, `/accounts/${ID}`],
  ['paydesk://get-paid', '/get-paid'],
  ['paydesk://pay', '/pay'],
  ['paydesk://peers', '/peers'],
  ['paydesk://rates', '/rates'],
  ['paydesk://health', '/health'],
  ['paydesk://activity', '/activity'],
  ['paydesk://settings', '/settings'],
];

/** What an attacker might put into a link to reach more than a screen. */
const HOSTILE = [
  '',
  'paydesk:',
  'paydesk://',
  'paydesk:payments',
  'paydesk:/payments',
  'paydesk:///payments',
  'paydesk:////payments',
  'PAYDESK://payments',
  'Paydesk://payments',
  'paydesk://Payments',
  ' paydesk://payments',
  'paydesk://payments ',
  'paydesk://payments\n',
  '\npaydesk://payments',
  'paydesk://payments\u0000',
  'paydesk://payments//',
  'paydesk://payments/../approvals',
  'paydesk://payments/..%2fapprovals',
  'paydesk://payments\\approvals',
  'paydesk://payments?direction=in',
  'paydesk://pay?receiver=https://evil.example/pay&amount=9999',
  'paydesk://payments#approve',
  'paydesk://user@payments',
  'paydesk://user:pass@payments',
  'paydesk://payments:80',
  'paydesk://payments.evil.example',
  'paydesk://evil.example/payments',
  `paydesk://approvals/${ID}/approve`,
  `paydesk://approvals/${ID}?code=1234`,
  `paydesk://approvals/${ID.toUpperCase()}`,
  `paydesk://approvals/${ID}0`,
  'paydesk://approvals/1',
  'paydesk://approvals/$id',
  'paydesk://approvals/%00',
  'paydesk://approve',
  'paydesk://settings/reveal',
  'paydesk://accounts/new',
  'paydesk://javascript:alert(1)',
  'javascript:alert(1)//paydesk://payments',
  'https://evil.example/?paydesk://payments',
  'paydesk-app://console/payments',
  'paydesk://paydesk://payments',
  'paydesk%3A//payments',
  'paydesk://p%61yments',
  'paydesk://раyments',
  'paydesk://payments\u202e',
  'file:///etc/passwd',
  '--inspect=paydesk://payments',
  `paydesk://payments/${'a'.repeat(100_000)}`,
];

describe('a link of paydesk', () => {
  it.each(KNOWN)('%s opens %s', (link, screen) => {
    expect(screenOf(link)).toBe(screen);
  });

  it('opens only screens that the console has', () => {
    const router = readFileSync(new URL('../../../src-renderer/router.tsx', import.meta.url), 'utf8');
    const paths = [...router.matchAll(/path: '([^']+)'/g)].map(([, path = '']) => path.replace(/\$\w+/, ID));
    for (const [, screen] of KNOWN) expect(paths).toContain(screen);
  });

  it('has 40 hostile spellings or more to refuse', () => {
    expect(new Set(HOSTILE).size).toBeGreaterThanOrEqual(40);
  });

  it.each(HOSTILE)('is not %j', (text) => {
    expect(screenOf(text)).toBeUndefined();
  });

  it.each([undefined, null, 7, {}, ['paydesk://payments'], { toString: () => 'paydesk://payments' }])('is no %j', (value) => {
    expect(screenOf(value)).toBeUndefined();
  });

  it('is found among the arguments of a command line, wherever it stands', () => {
    expect(screenIn(['/opt/paydesk/paydesk', '--flag', 'paydesk://rates', '--other'])).toBe('/rates');
    expect(screenIn(['/opt/paydesk/paydesk', 'paydesk://nowhere', 'paydesk://peers'])).toBe('/peers');
    expect(screenIn(['/opt/paydesk/paydesk', '--hidden'])).toBeUndefined();
  });
});
