import { expect, it } from 'vitest';
import { draftOf, isHost, isPort } from './printer-draft.ts';

it('a new printer writes the language of the person where printers can, and English otherwise', () => {
  expect(['de', 'pt-BR', 'ar'].map((tag) => draftOf(null, tag).language)).toEqual(['de', 'pt-BR', 'en']);
});

it('an address is a name or an IP address, and no URL', () => {
  expect(['192.168.1.50', 'printer.local', 'fe80::1%eth0'].every(isHost)).toBe(true);
  expect(['', 'http:printer', 'http://10.0.0.1', 'two words', '10.0.0.1/x'].some(isHost)).toBe(false);
});

it('a port is a number from 1 to 65535', () => {
  expect([1, 9_100, 65_535].every(isPort)).toBe(true);
  expect([0, 65_536, 1.5, Number.NaN].some(isPort)).toBe(false);
});
