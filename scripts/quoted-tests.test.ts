import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './project.mjs';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

test.each(['docs/money-safety.md', 'docs/security.md'])('%s quotes only tests that exist', (page) => {
  const text = read(page);
  const files = new Set(text.match(/(?:src|e2e|scripts)[\w./-]+\.(?:test|spec)\.ts/g));
  const tests = [...files].map(read).join('\n');
  // The last column of a table says which tests show that a danger is met.
  const columns = [...text.matchAll(/^\|.*\|([^|]+)\|$/gm)].map(([, column = '']) => column);
  const quotes = columns.flatMap((column) => [...column.matchAll(/"([^"]+)"/g)].map(([, quote = '']) => quote.replace(/ ?…$/, '')));
  expect(quotes.length).toBeGreaterThan(50);
  expect(quotes.filter((quote) => !tests.includes(quote))).toEqual([]);
});
