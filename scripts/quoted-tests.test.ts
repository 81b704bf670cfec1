import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './project.mjs';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

test('docs/money-safety.md quotes only tests that exist', () => {
  const text = read('docs/money-safety.md');
  const files = new Set(text.match(/(?:src|e2e)[\w./-]+\.test\.ts/g));
  const tests = [...files].map(read).join('\n');
  // The last column of a table says which tests show that a danger is met.
  const columns = [...text.matchAll(/^\|.*\|([^|]+)\|$/gm)].map(([, column = '']) => column);
  const quotes = columns.flatMap((column) => [...column.matchAll(/"([^"]+)"/g)].map(([, quote = '']) => quote.replace(/ ?…$/, '')));
  expect(quotes.length).toBeGreaterThan(50);
  expect(quotes.filter((quote) => !tests.includes(quote))).toEqual([]);
});
