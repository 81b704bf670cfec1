import { expect, it } from 'vitest';
import { isReturnUrl, LONGEST_RETURN_URL } from './return-url.ts';

const START = 'https://web-shop.example/';

it.each([
  ['https://web-shop.example/orders/7?a=b#c', true],
  ['HTTPS://web-shop.example', true],
  ['http://localhost:3000/', true],
  ['http://127.0.0.1/', true],
  ['http://[::1]/', true],
  [START.padEnd(LONGEST_RETURN_URL, 'x'), true],
  [START.padEnd(LONGEST_RETURN_URL + 1, 'x'), false],
  ['http://web-shop.example/', false],
  ['http://localhost.web-shop.example/', false],
  ['web-shop.example/orders/7', false],
  ['javascript:alert(1)', false],
  ['data:text/html,x', false],
  ['//web-shop.example/', false],
  ['https://', false],
  ['https://user:secret@web-shop.example/', false],
  ['https://user@web-shop.example/', false],
  ['', false],
])('knows whether a payer may be led to %s', (text, may) => {
  expect(isReturnUrl(text)).toBe(may);
});
