// @ts-check
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../project.mjs';

// `npm run currencies` writes src-shared/currencies.ts from the data of the Node.js that runs it, so that the node and
// every browser offer the same currencies. Run it after an update of Node.js. A test compares the file with the data of
// Node.js, and both with the list of ISO 4217.

/**
 * Codes that Node.js knows but in which no shop keeps money. Their currency was replaced, or they are units of account
 * of states and banks.
 */
const NOT_IN_USE = new Set(['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'XDR', 'XSU', 'ZWL']);

/**
 * The decimal places of ISO 4217 for currencies to which Node.js gives the decimal places of everyday cash.
 * @type {ReadonlyMap<string, number>}
 */
const ISO_SCALES = new Map([
  ...['AFN', 'ALL', 'COP', 'HUF', 'IDR', 'IRR', 'KPW', 'LAK', 'LBP', 'MGA', 'MMK', 'PKR', 'SOS', 'SYP', 'YER'].map(
    (code) => /** @type {const} */ ([code, 2]),
  ),
  ['IQD', 3],
]);

/** @param {string} currency */
const scaleOf = (currency) =>
  ISO_SCALES.get(currency) ?? new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 0;

/**
 * The currencies in circulation from the data of Node.js, in alphabetical order.
 * @returns {{ assetCode: string, assetScale: number }[]}
 */
export const currencies = () =>
  Intl.supportedValuesOf('currency')
    .filter((code) => !NOT_IN_USE.has(code))
    .sort()
    .map((assetCode) => ({ assetCode, assetScale: scaleOf(assetCode) }));

/** The number of codes on one line of the file. */
const PER_LINE = 30;

function fileText() {
  const byScale = Map.groupBy(currencies(), ({ assetScale }) => assetScale);
  const entries = [...byScale]
    .sort(([a], [b]) => a - b)
    .map(([scale, assets]) => {
      const codes = assets.map(({ assetCode }) => assetCode);
      const lines = Array.from(
        { length: Math.ceil(codes.length / PER_LINE) },
        (_, line) => `    '${codes.slice(line * PER_LINE, (line + 1) * PER_LINE).join(' ')}',`,
      );
      return `  [${scale}, [\n${lines.join('\n')}\n  ]],`;
    });
  return `import type { Asset } from './amounts.ts';

// Written by scripts/generating/generate-currencies.mjs: change it there.

/** The codes of the currencies in circulation, by their decimal places ("minor unit" in ISO 4217). */
const CODES: readonly (readonly [assetScale: number, lines: readonly string[]])[] = [
${entries.join('\n')}
];

/** The currencies of ISO 4217 that are in circulation, in alphabetical order of their codes. */
export const CURRENCIES: readonly Asset[] = CODES.flatMap(([assetScale, lines]) =>
  lines.flatMap((line) => line.split(' ').map((assetCode) => ({ assetCode, assetScale }))),
).sort((a, b) => a.assetCode.localeCompare(b.assetCode));
`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeFileSync(join(root, 'src-shared/currencies.ts'), fileText());
