import { expect, it } from 'vitest';
import { PageCodes } from './page-codes.ts';

it('a code is made once while others are few, and is the same when it is made again', () => {
  const codes = new PageCodes();
  const first = codes.of('https://pay.example/pay/0');
  expect(first).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 (\d+) \1" /);
  for (let n = 1; n <= 150; n += 1) expect(codes.of(`https://pay.example/pay/${n}`)).not.toBe(first);
  expect(codes.of('https://pay.example/pay/0')).toBe(first);
});
