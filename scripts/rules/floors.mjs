// @ts-check
import { isBuiltin } from 'node:module';
import { targetOf } from './test-files.mjs';

/**
 * @typedef {import('./source.mjs').Source} Source
 * @typedef {{ path: string, line: number, words: string }} Violation
 */

const PLATFORM = ['platform', 'shared'];
const JOURNAL = ['journal', ...PLATFORM];
const LEDGER = ['ledger', 'shop', ...JOURNAL];
const WALLET_ADDRESSES = ['wallet-addresses', ...LEDGER];
const PEERS = ['ilp', 'exchange', ...LEDGER];
const PAYMENTS = ['payments', 'access', 'peers', 'remote-wallets', 'ilp', 'exchange', ...WALLET_ADDRESSES];
const AUDIT = ['audit', ...PAYMENTS];
const CHECKOUT = ['checkout', 'closings', 'printing', 'receipts', 'reports', 'statements', 'backup', ...AUDIT];
const ASSEMBLY = ['assembly', 'open-payments-api', 'operator-api', ...CHECKOUT];

/** The other wings that each wing may import: the floors of docs/architecture.md. @type {Map<string, string[]>} */
const MAY_IMPORT = new Map([
  ['shared', []],
  ['renderer', ['shared']],
  ['platform', ['shared']],
  ['journal', PLATFORM],
  ['ledger', JOURNAL],
  ['shop', JOURNAL],
  ['wallet-addresses', LEDGER],
  ['access', WALLET_ADDRESSES],
  ['ilp', LEDGER],
  ['exchange', LEDGER],
  ['peers', PEERS],
  ['remote-wallets', WALLET_ADDRESSES],
  ['payments', PAYMENTS],
  ['audit', PAYMENTS],
  ['backup', AUDIT],
  ['checkout', PAYMENTS],
  ['closings', PAYMENTS],
  ['receipts', PAYMENTS],
  ['printing', ['receipts', 'statements', ...PAYMENTS]],
  ['reports', ['checkout', 'closings', ...PAYMENTS]],
  ['statements', ['closings', ...PAYMENTS]],
  ['open-payments-api', CHECKOUT],
  ['operator-api', CHECKOUT],
  ['assembly', ASSEMBLY],
  ['desktop', ASSEMBLY],
  ['headless', ASSEMBLY],
]);

/** The wing of a source file. It is undefined for a place that is in no wing. @param {string} path */
export function wingOf(path) {
  if (path.startsWith('src-shared/')) return 'shared';
  if (path.startsWith('src-renderer/')) return 'renderer';
  const [, place = ''] = path.split('/');
  if (!place.includes('.')) return MAY_IMPORT.has(place) ? place : undefined;
  return 'assembly';
}

/**
 * Finds imports from a wing that may not be imported, and packages that a wing may not use.
 * @param {string} path
 * @param {Source} source
 * @param {Set<string>} tests the test files
 * @returns {Violation[]}
 */
export function brokenFloors(path, source, tests) {
  const wing = wingOf(path);
  const allowed = wing === undefined ? undefined : MAY_IMPORT.get(wing);
  if (wing === undefined || allowed === undefined) return [{ path, line: 1, words: 'lies in a folder the architecture does not name' }];
  return source.imports.flatMap(({ specifier, typeOnly, dynamic, line }) => {
    const isTest = tests.has(path);
    const target = targetOf(path, specifier);
    // The console's development server may use test support; the build leaves that import out.
    const mayUse = isTest || !tests.has(target) || (wing === 'renderer' && dynamic === true);
    const words = specifier.startsWith('.') ? wrongFile(wing, allowed, target, mayUse) : wrongPackage(wing, isTest, specifier);
    // Only the node uses the contract's schemas. In a page they would bring along their library, a fifth of the page.
    if (wing === 'renderer' && !isTest && !typeOnly && target.startsWith('src-shared/operator-contract/'))
      return [{ path, line, words: `the renderer may import only types from ${target}` }];
    return words === undefined ? [] : [{ path, line, words }];
  });
}

/**
 * @param {string} wing
 * @param {string[]} allowed
 * @param {string} target
 * @param {boolean} mayUse whether this file may use test support
 */
function wrongFile(wing, allowed, target, mayUse) {
  if (target === 'package.json') return undefined;
  if (!mayUse) return `only tests may import ${target}`;
  const other = wingOf(target);
  if (other === wing || (other !== undefined && allowed.includes(other))) return undefined;
  return `${wing} may not import ${target}`;
}

const SERVER_PACKAGES = ['better-sqlite3', 'drizzle-orm', 'fastify', 'pino', '@orpc/server', '@orpc/openapi', 'ilp-protocol-stream'];

/** @param {string} wing @param {boolean} test @param {string} specifier */
function wrongPackage(wing, test, specifier) {
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  if (name === 'electron' && wing !== 'desktop') return 'only src-main/desktop may import electron';
  const inBrowser = (wing === 'shared' || wing === 'renderer') && !test;
  if (inBrowser && (isBuiltin(specifier) || SERVER_PACKAGES.includes(name)))
    return `${wing} may not import ${specifier}: it runs in a browser`;
  return undefined;
}
