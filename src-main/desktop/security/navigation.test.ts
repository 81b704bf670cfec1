import { describe, expect, it } from 'vitest';
import { externalUrl, isConsoleFrame, isConsoleUrl, isCustomerScreen, mailUrl, mayHave } from './navigation.ts';

const ELSEWHERE = [
  'https://shop.example/',
  'http://shop.example/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'about:blank',
  'blob:paydesk-app://console/4be1',
  'paydesk://console/',
  'paydesk-app:console',
  'paydesk-app://console.evil.example/',
  'paydesk-app://console:80/',
  'paydesk-app://user@console/',
  'paydesk-app://other/',
  'https://evil.example/?paydesk-app://console/',
  'view-source:paydesk-app://console/',
  'no url',
  '',
];

describe('isConsoleUrl', () => {
  it.each(['paydesk-app://console/', 'paydesk-app://console/payments/1?x=1#y'])('knows %s', (url) => {
    expect(isConsoleUrl(url)).toBe(true);
  });
  it.each(ELSEWHERE)('refuses %s', (url) => {
    expect(isConsoleUrl(url)).toBe(false);
  });
});

describe('externalUrl', () => {
  it('gives https links as parsed', () => {
    expect(externalUrl('https://Shop.example/a b')).toBe('https://shop.example/a%20b');
  });
  it.each([
    ...ELSEWHERE.filter((url) => !url.startsWith('https:')),
    'https://user:pass@shop.example/',
    'HTTPS//x',
    'ms-calculator:',
    'smb://host/x',
  ])('refuses %s', (url) => {
    expect(externalUrl(url)).toBeUndefined();
  });
});

describe('mailUrl', () => {
  it('gives a draft with a subject and a text, as parsed', () => {
    const text = encodeURIComponent('Two books & “tea”\nhttps://pay.example/pay/1?x=y');
    expect(mailUrl(`mailto:?subject=Pay&body=${text}`)).toBe(`mailto:?subject=Pay&body=${text}`);
    // A program that is started with the text in quotes must not read their end in it.
    expect(mailUrl("mailto:?body=Ann's")).toBe('mailto:?body=Ann%27s');
  });
  it.each([
    ...ELSEWHERE,
    'mailto:',
    'mailto:?',
    'mailto:ann@shop.example?subject=x',
    'mailto:?subject=x&attach=/etc/passwd',
    'mailto:?subject=x&attachment=file:///etc/passwd',
    'mailto:?body=x&cc=ann@shop.example',
    'mailto:?body=x&Bcc=ann@shop.example',
    'mailto:?to=ann@shop.example&body=x',
    'mailto:?body=x&body=y',
    'mailto:?body=x&amp;attach=y',
    'mailto:?subject=x%0D%0ABcc:ann@shop.example',
    'mailto:?subject=x%0ABcc:ann@shop.example',
    'mailto:?body=x#y',
    'mailto://host/?body=x',
    `mailto:?body=${'x'.repeat(8_000)}`,
  ])('refuses %s', (url) => {
    expect(mailUrl(url)).toBeUndefined();
  });
});

describe('isConsoleFrame', () => {
  const main = { url: 'paydesk-app://console/approvals', parent: null };
  it('accepts the main frame on the own scheme', () => {
    expect(isConsoleFrame(main)).toBe(true);
  });
  it('refuses a frame inside the page, a foreign page, and a frame that is gone', () => {
    expect(isConsoleFrame({ url: main.url, parent: main })).toBe(false);
    expect(isConsoleFrame({ url: 'https://shop.example/', parent: null })).toBe(false);
    expect(isConsoleFrame(null)).toBe(false);
  });
});

describe('isCustomerScreen', () => {
  it('is one page of the console, whatever till it names', () => {
    expect(isCustomerScreen('paydesk-app://console/customer.html#7f')).toBe(true);
  });
  it.each([
    'paydesk-app://console/',
    'paydesk-app://console/customer.html/till',
    'paydesk-app://other/customer.html',
    'https://console/customer.html',
    'customer.html',
  ])('is not %s', (url) => {
    expect(isCustomerScreen(url)).toBe(false);
  });
});

describe('mayHave', () => {
  it('lets a page of the console fill the screen, and have nothing else', () => {
    expect(mayHave('fullscreen', 'paydesk-app://console/till')).toBe(true);
    expect(mayHave('fullscreen', 'https://shop.example/')).toBe(false);
    for (const permission of ['media', 'notifications', 'geolocation', 'window-management', 'openExternal', 'pointerLock'])
      expect(mayHave(permission, 'paydesk-app://console/till'), permission).toBe(false);
  });
});
