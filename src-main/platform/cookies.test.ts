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
