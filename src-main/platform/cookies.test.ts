import { expect, it } from 'vitest';
import { cookieNamed } from './cookies.ts';

it.each([
  ['a=1', '1'],
  ['b=2; a=1', '1'],
  ['aa=2;a=1', '1'],
  ['a=x=y', 'x=y'],
  ['a=', undefined],
  ['b=a=1', undefined],
  ['', undefined],
  [undefined, undefined],
])('the node reads the cookie "a" from the header %j as %j', (header, value) => expect(cookieNamed('a', header)).toBe(value));

// Whoever sends cookies has chosen their number; the fields of a request together have at most 16 KB.
it('the node reads no further than the cookies that a browser keeps for a host', () => {
  const others = (count: number) => 'b=1; '.repeat(count);
  expect(cookieNamed('a', `${others(255)}a=1`)).toBe('1');
  expect(cookieNamed('a', `${others(256)}a=1`)).toBeUndefined();
  expect(cookieNamed('a', `${';'.repeat(256)}a=1`)).toBeUndefined();
});

it('of several cookies with one name the node takes the first, also when it is huge', () => {
  expect(cookieNamed('a', 'a=1; a=2')).toBe('1');
  expect(cookieNamed('a', `a=${'x'.repeat(16_000)}; a=2`)).toHaveLength(16_000);
  expect(cookieNamed('a', `b=${'a=1 '.repeat(4_000)}; a=2`)).toBe('2');
});
