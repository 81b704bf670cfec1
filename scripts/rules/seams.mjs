// @ts-check
import { wingOf } from './floors.mjs';
import { targetOf } from './test-files.mjs';

/**
 * @typedef {import('./source.mjs').Source} Source
 * @typedef {import('./floors.mjs').Violation} Violation
 */

const LEDGER_TABLES = 'src-main/ledger/tables.ts';
const LEDGER_READERS = ['ledger', 'operator-api'];
const HTTP_CLIENTS = ['http', 'https', 'http2', 'net', 'tls', 'undici', 'axios', 'got', 'ky', 'node-fetch'];
/** The names that a server may import from those modules. */
const SERVER_SIDE = [
  'createServer',
  'createSecureServer',
  'Server',
  'IncomingMessage',
  'ServerResponse',
  'STATUS_CODES',
  'isIP',
  'isIPv4',
  'isIPv6',
  'BlockList',
  'createSecureContext',
];
const DATABASE = 'src-main/platform/database/';
const TYPED_ZOD = 'src-shared/typed-zod.ts';
/**
 * Packages and words that only one database engine knows. A plus sign with nothing to add to keeps SQLite from using an
 * index.
 */
const DIALECT_PACKAGE = /^drizzle-orm\/(sqlite|better-sqlite3|pg|node-postgres)/;
const DIALECT_WORD =
  /\b(rowid|instr|glob|pragma|zeroblob|ifnull|group_concat|strftime|julianday|unixepoch|sqlite_\w+|insert or \w+)\b|(?:^|[(,=<>]|\b(?:and|or|not|by|on|select|where|when|then|else)\b)\s*(\+)/i;
/** The driver of PostgreSQL. A node with SQLite never loads it. */
const POSTGRES = 'pg';
const SQL_WRITE = /\b(insert\s+into|update|delete\s+from|replace\s+into)\s+["`]?ledger_/i;

/**
 * Finds code that goes past a seam: the clock, outbound HTTP, the database engine, the ledger or zod. Tests may do so.
 * @param {string} path
 * @param {Source} source
 * @param {string} text
 * @returns {Violation[]}
 */
export function passedSeams(path, source, text) {
  return [
    ...clockUses(path, source),
    ...outboundHttp(path, source),
    ...dialect(path, source),
    ...lateDriver(path, source),
    ...ledgerTables(path, source),
    ...ledgerSql(path, text),
    ...schemas(path, source),
  ];
}

/** @param {string} path @param {Source} source @returns {Violation[]} */
function clockUses(path, source) {
  if (wingOf(path) === 'platform') return [];
  return source.uses
    .filter(({ what }) => what !== 'fetch')
    .map(({ what, line }) => ({ path, line, words: `${what} belongs to src-main/platform; take a Clock or a setting instead` }));
}

/** @param {string} path @param {Source} source @returns {Violation[]} */
function outboundHttp(path, source) {
  if (!path.startsWith('src-main/') || path.startsWith('src-main/platform/outbound-http')) return [];
  const words = 'requests leave the node through src-main/platform/outbound-http only';
  const calls = source.uses.filter(({ what }) => what === 'fetch');
  const clients = source.imports.filter(
    ({ specifier, typeOnly, names }) =>
      !typeOnly &&
      HTTP_CLIENTS.includes(specifier.replace(/^node:/, '')) &&
      !(names.length > 0 && names.every((name) => SERVER_SIDE.includes(name))),
  );
  return [...calls, ...clients].map(({ line }) => ({ path, line, words }));
}

/**
 * Finds code outside `platform/database` that knows which engine stores the rows.
 * @param {string} path
 * @param {Source} source
 * @returns {Violation[]}
 */
function dialect(path, source) {
  if (path.startsWith(DATABASE)) return [];
  const packages = source.imports.filter(({ specifier }) => DIALECT_PACKAGE.test(specifier));
  return [
    ...packages.map(({ specifier, line }) => ({ path, line, words: `${specifier} is for ${DATABASE}: take what its schema.ts offers` })),
    ...source.sql.flatMap(({ text, line }) => {
      const found = DIALECT_WORD.exec(text);
      return found === null
        ? []
        : [{ path, line, words: `“${found[1] ?? found[2]}” is SQL of one engine: give it a name in ${DATABASE}dialect.ts` }];
    }),
  ];
}

/**
 * The driver of PostgreSQL is loaded by the code that opens a connection, and not by importing that code.
 * @param {string} path
 * @param {Source} source
 * @returns {Violation[]}
 */
function lateDriver(path, source) {
  const words = `${POSTGRES} is loaded with await import() in ${DATABASE}postgres/, so that a node with SQLite does without it`;
  return source.imports
    .filter(
      ({ specifier, typeOnly, dynamic }) => specifier === POSTGRES && !typeOnly && !(dynamic && path.startsWith(`${DATABASE}postgres/`)),
    )
    .map(({ line }) => ({ path, line, words }));
}

/**
 * Finds code outside the ledger that touches its tables. Only the ledger moves money. The operator API may read its
 * tables; no other wing needs to.
 * @param {string} path
 * @param {Source} source
 * @returns {Violation[]}
 */
function ledgerTables(path, source) {
  const wing = wingOf(path) ?? '';
  const imports = source.imports.filter(({ specifier, typeOnly }) => !typeOnly && targetOf(path, specifier) === LEDGER_TABLES);
  if (!LEDGER_READERS.includes(wing)) return imports.map(({ line }) => ({ path, line, words: 'ledger tables are for src-main/ledger' }));
  if (wing === 'ledger') return [];
  const tables = imports.flatMap(({ names }) => names);
  return source.tableWrites
    .filter(({ table }) => tables.includes(table))
    .map(({ table, line }) => ({ path, line, words: `only src-main/ledger writes ${table}` }));
}

/** @param {string} path @param {string} text @returns {Violation[]} */
function ledgerSql(path, text) {
  if (wingOf(path) === 'ledger') return [];
  const index = text.search(SQL_WRITE);
  return index < 0 ? [] : [{ path, line: text.slice(0, index).split('\n').length, words: 'only src-main/ledger writes ledger tables' }];
}

/**
 * Zod's own length checks throw on hostile values; see src-shared/typed-zod.ts.
 * @param {string} path
 * @param {Source} source
 * @returns {Violation[]}
 */
function schemas(path, source) {
  if (path === TYPED_ZOD) return [];
  return source.imports
    .filter(({ specifier }) => specifier === 'zod' || specifier.startsWith('zod/'))
    .map(({ line }) => ({ path, line, words: 'schemas are made with src-shared/zod.ts' }));
}
