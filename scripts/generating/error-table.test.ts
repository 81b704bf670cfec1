import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PROBLEMS } from '../../src-main/open-payments-api/http/problems.ts';
import { DOCUMENT, renewed } from './error-table.mjs';

test('docs/api.md describes the errors of the code; if it does not, run node scripts/generating/error-table.mjs', () => {
  const text = readFileSync(DOCUMENT, 'utf8');
  expect(text).toBe(renewed(text));
});

test('a document with other words or other rows is stale', () => {
  const text = readFileSync(DOCUMENT, 'utf8');
  expect(renewed(text.replace('Insufficient Grant', 'Too little'))).toBe(text);
  const [row = ''] = text.match(/^\| insufficient grant .*\n/m) ?? [];
  expect(renewed(text.replace(row, ''))).toBe(text);
  expect(() => renewed('# API')).toThrow('lost the lines');
});

test('docs/api.md has every condition', () => {
  const text = readFileSync(DOCUMENT, 'utf8');
  for (const { status, code, words } of Object.values(PROBLEMS)) expect(text).toContain(`| ${status} | \`${code}\` | ${words} |`);
});
