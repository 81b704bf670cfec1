import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { violations } from './check-imports.mjs';

const checkAll = async (files: Record<string, string>, cacheFile?: string) =>
  (await violations(new Map(Object.entries(files)), cacheFile)).map(({ path, line, words }) => `${path}:${line} ${words}`);
const isDeadExport = (violation: string): boolean => violation.endsWith('which no file imports');
/** Looks at everything but dead exports, because the short texts below export names that nothing imports. */
const check = async (files: Record<string, string>, cacheFile?: string) =>
  (await checkAll(files, cacheFile)).filter((violation) => !isDeadExport(violation));
const deadExports = async (files: Record<string, string>) => (await checkAll(files)).filter(isDeadExport);

/** A project without violations. Some of its lines look like a violation at first sight. */
const HOUSE = {
  'src-shared/amounts.ts': 'export const MAX = 1n;\n',
  'src-renderer/main.tsx':
    "import { MAX } from '../src-shared/amounts.ts';\nimport type { Lock } from '../src-shared/operator-contract/lock.ts';\nexport type L = Lock;\nexport const answer = fetch(MAX);\n",
  'src-main/platform/clock.ts': 'export const systemClock = { now: () => Date.now() };\n',
  'src-main/platform/outbound-http.ts': "import { request } from 'node:https';\nexport { request };\n",
  'src-main/ledger/tables.ts': 'export const ledgerTransfers = {};\n',
  'src-main/ledger/ledger.ts':
    "import { ledgerTransfers } from './tables.ts';\nexport const book = (tx: Tx) => tx.insert(ledgerTransfers);\n",
  'src-main/payments/quotes.ts':
    "import type { IncomingMessage } from 'node:http';\nimport { book } from '../ledger/ledger.ts';\n// Not Date.now() here.\nexport const at = new Date(0);\nexport const get = (o: O, m: IncomingMessage) => book(o.fetch(m));\n",
  'src-main/operator-api/overview.ts':
    "import { ledgerTransfers } from '../ledger/tables.ts';\nexport const read = (tx: Tx) => tx.select().from(ledgerTransfers);\n",
  'src-main/platform/database/dialect.ts': "import { index } from 'drizzle-orm/sqlite-core';\nexport const held = [index, sql`+c`];\n",
  'src-main/platform/database/postgres/postgres-database.ts':
    "import type pg from 'pg';\nexport const load = (): Promise<typeof pg> => import('pg').then((it) => it.default);\n",
  'src-main/payments/sums.ts': 'export const sum = sql`a + 1 + (a) + (select coalesce(max(a), 0) + 1 from b)`;\n',
  'src-main/payments/quotes.test.ts': "import './testing/sockets.ts';\nexport const now = Date.now();\n",
  'src-main/payments/testing/sockets.ts': "import { connect } from 'node:net';\nexport { connect };\n",
  'src-renderer/testing/fake-node.ts': "import '@orpc/server';\n",
  'src-main/wallet-node.ts':
    "import { createServer } from 'node:http';\nexport const server = createServer();\nimport { at } from './payments/quotes.ts';\nexport { at };\n",
  'src-main/headless/entry.ts': "import { at } from '../wallet-node.ts';\nexport { at };\n",
  'src-main/desktop/main.ts': "import { app } from 'electron';\nimport { at } from '../wallet-node.ts';\nexport const x = [app, at];\n",
  'scripts/bench.mjs': 'console.log(process.env.HOME, Math.random());\n',
  'src-renderer/pay/a.tsx': 'export const sides = { left: words.left };\n',
  'src-renderer/pay/a.module.css':
    '.left {\n  inset: 0 0 auto;\n  margin: 1px calc(1px + 2px) 3px calc(1px + 2px);\n  padding-inline-start: 1px;\n  text-align: end;\n}\n',
  'docs/decisions.md':
    '### D-01 Which URLs\n\nSee `src-main/ledger/ledger.ts` and `src-shared`.\n\n- Why: as in D-01.\n- Rejected: UD-02.\n\n## More\n',
  'docs/protocol-notes.md': '### PN-01 Which parts\n',
  'src-main/ledger/days.ts': '// As decisions.md#D-01 and protocol-notes.md#PN-01 have it.\nexport const day = 1;\n',
  'package-lock.json': '{ "node_modules/zod": { "version": "4.6.7" } }\n',
};

/**
 * Each row plants one violation: its name, the path and the text of a file, and the words that the check must report.
 */
const PLANTED: [name: string, path: string, text: string, words: RegExp][] = [
  ['an import that goes up', 'src-main/ledger/a.ts', "import '../access/b.ts';\n", /:1 ledger may not import src-main\/access\/b\.ts/],
  ['an import type that goes up', 'src-main/access/a.ts', "import type { X } from '../payments/quotes.ts';\n", /:1 access may not import/],
  ['a type reference that goes up', 'src-main/ilp/a.ts', "export type X = import('../access/b.ts').X;\n", /:1 ilp may not import/],
  ['a re-export that goes up', 'src-shared/a.ts', "export * from '../src-main/ledger/ledger.ts';\n", /:1 shared may not import/],
  ['access and ilp importing each other', 'src-main/access/a.ts', "\nimport '../ilp/b.ts';\n", /:2 access may not import/],
  ['one door importing the other', 'src-main/operator-api/a.ts', "import '../open-payments-api/b.ts';\n", /may not import/],
  [
    'the assembly importing an entry',
    'src-main/config.ts',
    "import './headless/entry.ts';\n",
    /assembly may not import src-main\/headless\/entry\.ts/,
  ],
  ['the renderer reaching into the node', 'src-renderer/a.tsx', "import '../src-main/ledger/ledger.ts';\n", /renderer may not import/],
  [
    'the schemas of the contract in the renderer',
    'src-renderer/a.ts',
    "import { type Lock, lock } from '../src-shared/operator-contract/lock.ts';\n",
    /:1 the renderer may import only types from/,
  ],
  ['a feature reaching into another', 'src-renderer/pay/a.tsx', "import '../peers/b.ts';\n", /:1 pay may not import peers/],
  [
    'a component that needs a feature',
    'src-renderer/components/forms/a.tsx',
    "import '../../pay/b.ts';\n",
    /components may not import pay/,
  ],
  [
    'the transport using a component',
    'src-renderer/transport/a.ts',
    "import '../components/b.ts';\n",
    /transport may not import components/,
  ],
  [
    'the driver of PostgreSQL loaded with the code',
    'src-main/platform/database/postgres/session.ts',
    "import pg from 'pg';\nexport const client = new pg.Client();\n",
    /:1 pg is loaded with await import\(\)/,
  ],
  [
    'the driver of PostgreSQL loaded elsewhere',
    'src-main/payments/a.ts',
    "export const load = () => import('pg');\n",
    /:1 pg is loaded with await import\(\)/,
  ],
  ['a folder without a floor', 'src-main/misc/a.ts', '', /lies in a folder the architecture does not name/],
  [
    'electron outside the desktop',
    'src-main/payments/a.ts',
    "import { app } from 'electron';\n",
    /only src-main\/desktop may import electron/,
  ],
  ['a Node module in the renderer', 'src-renderer/a.ts', "import { join } from 'node:path';\n", /renderer may not import node:path/],
  ['a Node module in shared code', 'src-shared/a.ts', "import { join } from 'path';\n", /shared may not import path/],
  ['a server package in the renderer', 'src-renderer/a.ts', "import Fastify from 'fastify';\n", /renderer may not import fastify/],
  [
    'ledger tables in payments',
    'src-main/payments/a.ts',
    "import { ledgerTransfers } from '../ledger/tables.ts';\n",
    /ledger tables are for/,
  ],
  [
    'a ledger table written by the operator API',
    'src-main/operator-api/a.ts',
    "import { ledgerTransfers } from '../ledger/tables.ts';\nexport const w = (tx: Tx) => tx.insert(ledgerTransfers);\n",
    /:2 only src-main\/ledger writes ledgerTransfers/,
  ],
  [
    'ledger SQL elsewhere',
    'src-main/payments/a.ts',
    "export const s =\n  'UPDATE ledger_accounts SET balance = 0';\n",
    /:2 only src-main\/ledger writes/,
  ],
  ['fetch in the node', 'src-main/payments/a.ts', "export const r = await fetch('http://a.example');\n", /:1 requests leave the node/],
  ['fetch handed on', 'src-main/access/a.ts', 'export const get = globalThis.fetch;\n', /:1 requests leave the node/],
  ['an HTTP client in the node', 'src-main/access/a.ts', "import { request } from 'node:http';\n", /:1 requests leave the node/],
  [
    'undici in the node',
    'src-main/access/a.ts',
    "const { request } = await import('undici');\nexport { request };\n",
    /:1 requests leave the node/,
  ],
  [
    'the engine of the database in a table',
    'src-main/payments/a.ts',
    "import { index } from 'drizzle-orm/sqlite-core';\n",
    /:1 drizzle-orm\/sqlite-core is for src-main\/platform\/database/,
  ],
  ...['rowid in (1)', 'a = 1 and +b = 2', `+\${c} = 2`, `instr(\${c}, 'a') > 0`, 'INSERT OR IGNORE into a'].map(
    (words): [string, string, string, RegExp] => [
      `SQL of one engine: ${words}`,
      'src-main/payments/a.ts',
      `export const q = (c: C) =>\n  sql\`${words}\`;\n`,
      /:2 “.+” is SQL of one engine/,
    ],
  ),
  ['test support in the product', 'src-renderer/a.tsx', "import './testing/fake-node.ts';\n", /only tests may import/],
  ['the time', 'src-main/payments/a.ts', 'export const at = Date.now();\n', /:1 Date\.now belongs/],
  ['the time as a date', 'src-renderer/a.ts', 'export const at = new Date();\n', /:1 new Date\(\) belongs/],
  ['chance', 'src-shared/a.ts', 'export const id = Math.random();\n', /:1 Math\.random belongs/],
  ['the environment', 'src-main/desktop/a.ts', "export const home = process.env['HOME'];\n", /:1 process\.env belongs/],
  [
    'a package host',
    'package-lock.json',
    `{ "resolved": "${'https:'}//host.example/zod.tgz" }\n`,
    /:1 .* names a host that packages come from/,
  ],
  ['a package host in prose', 'README.md', `Set ${['registry', 'npmjs', 'org'].join('.')}\n`, /:1 .* names a host/],
  [
    'a path of one machine',
    'scripts/a.mjs',
    `export const x = '${['', 'home', 'ada', 'x'].join('/')}';\n`,
    /:1 .* is a path of one machine/,
  ],
  ['a margin on the right', 'src-renderer/pay/a.css', '.a {\n  margin-right: 4px;\n}\n', /:2 “margin-right:” names left or right/],
  ['a place on the left', 'src-renderer/a.html', '<style>a { left: 0 }</style>\n', /:1 “left: 0” names left or right/],
  ['text on the left', 'src-renderer/pay/a.css', '.a { text-align: left; }\n', /names left or right/],
  ['different sides in a shorthand', 'src-renderer/pay/a.css', '.a { inset: 0 auto 0 calc(1px + var(--a)); }\n', /names left or right/],
  ['a margin of an element on the left', 'src-renderer/pay/a.tsx', 'export const a = <Text ml="sm" />;\n', /“ml="” names left or right/],
  ['a side in a style', 'src-renderer/pay/a.tsx', 'export const a = { paddingLeft: 4 };\n', /names left or right/],
  ['a move to the left', 'src-renderer/pay/a.css', '.a { transform: translateX(-50%); }\n', /names left or right/],
  [
    'a side in a public page',
    'src-main/open-payments-api/pages/a.ts',
    'export const A = `p { border-left: 1px solid }`;\n',
    /names left or right/,
  ],
  ['a silenced check', 'src-main/payments/a.ts', `// ${'@ts'}-ignore\n`, /:1 .* silences a check/],
  ['a decision that has no entry', 'src-main/ledger/a.ts', '// See decisions.md#D-02.\n', /:1 decisions\.md#D-02 has no entry there/],
  ['a note that has no entry', 'e2e/node/a.test.ts', '\n// See protocol-notes.md#PN-9.\n', /:2 protocol-notes\.md#PN-9 has no entry/],
  ['a number alone that no decision has', 'src-main/ledger/a.ts', '// No hold is kept (D-02).\n', /:1 D-02 is no entry of decisions\.md/],
  [
    'a decision that refers to none',
    'docs/decisions.md',
    '### D-01 One\n\nSee D-03.\n\n- Why: a.\n- Rejected: b.\n',
    /:3 D-03 is no entry of decisions\.md/,
  ],
  ['a decision without a reason', 'docs/decisions.md', '## A\n\n### D-01 One\n\n- Rejected: b.\n', /:3 D-01 lacks a line "- Why/],
  [
    'a decision without what was rejected',
    'docs/decisions.md',
    '### D-01 One\n\n- Why: a.\n\n### D-02 Two\n\n- Why: a.\n- Rejected: b.\n',
    /:1 D-01 lacks a line "- Rejected/,
  ],
  [
    'two decisions with one number',
    'docs/decisions.md',
    '### D-01 One\n\n- Why: a.\n- Rejected: b.\n\n### D-01 Two\n\n- Why: a.\n- Rejected: b.\n',
    /:6 D-01 has an entry before/,
  ],
  ['a decision by its name', 'src-shared/a.ts', '/** What (decisions, "URLs") says. */\n', /:1 cites without an entry/],
  ['a fact by its section', 'scripts/a.mjs', '// As the client signs (facts §3.1).\n', /:1 cites without an entry/],
  ['notes on the design', 'docs/a.md', 'As the design notes say.\n', /:1 cites without an entry/],
  ['a specification without its name', 'src-main/access/a.ts', '// (specification, "Errors")\n', /:1 cites without an entry/],
  ['a document about a file that was moved', 'docs/a.md', 'See `src-main/gone.ts`.\n', /:1 names src-main\/gone\.ts, which is not there/],
  ['work left for later', 'docs/a.md', `${'TO'}${'DO'}: write\n`, /:1 .* is left for later/],
];

describe('the rules of the project', () => {
  it('find nothing in a project without violations', async () => {
    expect(await check(HOUSE)).toEqual([]);
  });

  it.each(PLANTED)('find %s', async (_name, path, text, words) => {
    const found = await check({ ...HOUSE, [path]: text });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(words);
    expect(found[0]).toMatch(new RegExp(`^${path.replaceAll('.', '\\.')}:`));
  });

  it.each([
    ['values', "import { a } from './a.ts';\nexport const c = () => a;\n"],
    ['types only', "import type { a } from './a.ts';\nexport type C = typeof a;\nexport const c = 1;\n"],
  ])('find files that import each other in a circle: %s', async (_name, back) => {
    const circle = {
      'src-main/ledger/a.ts': "import { b } from './b.ts';\nexport const a = () => b;\n",
      'src-main/ledger/b.ts': "import { c } from './c.ts';\nexport const b = () => c;\n",
      'src-main/ledger/c.ts': back,
    };
    expect(await check(circle)).toEqual([
      'src-main/ledger/c.ts:1 imports in a circle: src-main/ledger/a.ts → src-main/ledger/b.ts → src-main/ledger/c.ts → src-main/ledger/a.ts',
    ]);
  });

  it('find schemas that the console would load by way of a value', async () => {
    const reaching = {
      'src-shared/zod.ts': 'export const z = {};\n',
      'src-shared/settings.ts': "import { z } from './zod.ts';\nexport const S = z;\nexport const LEAST = 1;\n",
      'src-renderer/pay/b.ts': "import { LEAST } from '../../src-shared/settings.ts';\nexport const a = LEAST;\n",
      'src-renderer/pay/c.ts': "import type { S } from '../../src-shared/settings.ts';\nexport type C = S;\n",
      'src-renderer/pay/b.test.ts': "import { LEAST } from '../../src-shared/settings.ts';\nexport const a = LEAST;\n",
    };
    expect((await check(reaching)).filter((words) => words.includes('loads zod'))).toEqual([
      'src-renderer/pay/b.ts:1 loads zod into the console, by src-shared/settings.ts',
    ]);
  });

  it('find rooms that import each other in a circle, even when no two files do', async () => {
    const rooms = {
      'src-main/access/grants/a.ts': "import type { B } from '../tokens/b.ts';\nexport type A = B;\n",
      'src-main/access/grants/other.ts': 'export type Other = string;\n',
      'src-main/access/tokens/b.ts': 'export type B = string;\n',
      'src-main/access/tokens/c.ts': "import type { Other } from '../grants/other.ts';\nexport type C = Other;\n",
    };
    expect(await check(rooms)).toEqual([
      'src-main/access/tokens/c.ts:1 imports in a circle: src-main/access/grants → src-main/access/tokens → src-main/access/grants',
    ]);
  });

  it('find a folder that directly holds too many files, without its tests', async () => {
    const files = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`src-shared/words/a${index}.ts`, 'export const a = 1;\n']));
    expect(await check({ ...files(20), 'src-shared/words/a.test.ts': '' })).toEqual([]);
    expect(await check(files(21))).toEqual(['src-shared/words:1 holds 21 files, and 20 at most; divide it into rooms']);
    const pages = Array.from({ length: 21 }, (_, index) => [
      `e2e/console/a${index}.${index < 20 ? 'ts' : 'spec.ts'}`,
      'export const a = 1;\n',
    ]);
    expect(await check(Object.fromEntries(pages))).toEqual([]);
    expect(await check({ ...Object.fromEntries(pages), 'e2e/console/b.ts': '' })).toEqual([
      'e2e/console:1 holds 21 files, and 20 at most; divide it into rooms',
    ]);
  });

  it('find production code that stands a second time, whatever stands beside it', async () => {
    const lines = (count: number) => Array.from({ length: count }, (_, index) => `export const a${index} = ${index};`);
    const file = (count: number) => `${lines(count).join('\n')}\n`;
    const [first, second] = ['src-main/ledger/a.ts', 'src-main/payments/b.ts'];
    expect(await check({ [first]: file(9), [second]: file(9) })).toEqual([]);
    const repeated = 'repeats 10 lines of src-main/ledger/a.ts:1; let one place serve both';
    expect(await check({ [first]: file(10), [second]: file(10) })).toEqual([`${second}:1 ${repeated}`]);
    // Imports, comments, blank lines and white space say nothing.
    const imports = "import {\n  newId,\n} from '../platform/ids.ts';\n";
    const changed = `${imports}// Here.\n\n${lines(10).join('\n  /**\n   * Said.\n   */\n\n  ').replaceAll(' = ', '  = ')}\n`;
    expect(await check({ [first]: file(10), [second]: changed, 'src-main/platform/ids.ts': '' })).toEqual([`${second}:6 ${repeated}`]);
    const many = (name: string) => `${imports.replace('newId', Array.from({ length: 12 }, (_, at) => `a${at}`).join(',\n  '))}${name};\n`;
    expect(await check({ [first]: many('a'), [second]: many('b') })).toEqual([]);
  });

  it('find such code in one file, at each place, and not in tests', async () => {
    const block = (name: string) => `export const ${name} = {\n${Array.from({ length: 10 }, (_, at) => `  a${at},\n`).join('')}};\n`;
    const [twice, thrice] = [`${block('a')}${block('b')}`, `${block('a')}${block('b')}${block('c')}`];
    const words = 'repeats 11 lines of src-shared/a.ts:2; let one place serve both';
    expect(await check({ 'src-shared/a.ts': twice })).toEqual([`src-shared/a.ts:14 ${words}`]);
    expect(await check({ 'src-shared/a.ts': thrice })).toEqual([`src-shared/a.ts:14 ${words}`, `src-shared/a.ts:26 ${words}`]);
    expect(await check({ 'src-shared/a.test.ts': twice, 'src-shared/testing/a.ts': twice })).toEqual([]);
    expect(await check({ 'src-shared/a.ts': `// Written by scripts/generating/a.mjs.\n${twice}` })).toEqual([]);
  });

  it('take brackets for no code of their own', async () => {
    const closing = (words: number) =>
      `export const x = [${'[['.repeat(5)}\n${Array.from({ length: words }, (_, at) => `a${at},\n`).join('')}${'],\n'.repeat(10)}];\n`;
    const files = (words: number) => ({ 'src-shared/a.ts': closing(words), 'src-shared/b.ts': closing(words).replace('x =', 'y =') });
    expect(await check(files(5))).toEqual([]);
    expect(await check(files(6))).toHaveLength(1);
  });

  it('find a line of a comment that is too long', async () => {
    const comment = `// ${'a '.repeat(60)}`;
    expect(await check({ 'e2e/node/a.test.ts': `${comment}\n` })).toEqual([
      'e2e/node/a.test.ts:1 is a comment of 123 columns; 120 is the most',
    ]);
    const [prose, code] = ['a '.repeat(61), '```sh\nnpm run '.padEnd(200, 'a')];
    expect(await check({ 'docs/a.md': `# A\n\n${prose}\n\n| ${prose} |\n\n${code}\n\`\`\`\n` })).toEqual([
      'docs/a.md:3 is a line of 122 columns; 120 is the most',
    ]);
  });

  it('find a docstring that begins with a fragment', async () => {
    const open = '/*'.concat('*');
    const text = [
      `${open} Null when there is none. */`,
      open,
      ' * Of a sale that waits. It is',
      ' * long.',
      ' */',
      `f(${open} In seconds. */ 3);`,
      '/** The wait. In milliseconds. Null for none. */',
      '/** Often the same. */',
      '// Only a remark.',
    ].join('\n');
    const words = 'is a docstring that begins with “…”; say first what the thing is';
    const found = await check({ 'e2e/node/a.test.ts': `${text}\n` });
    expect(found.map((one) => one.replace(/“.+”/, '“…”'))).toEqual([1, 2, 6].map((line) => `e2e/node/a.test.ts:${line} ${words}`));
  });

  it.each([
    ['a value', 'export const a = 1;'],
    ['a function', 'export async function a() {}'],
    ['a type that only its own file uses', 'export type a = 1;\nexport const b: a = 1;'],
    ['a name that is listed', 'const c = 1;\nexport { c as a };'],
    ['a name that is handed on', "export { a } from './b.ts';"],
  ])('find an export that no file imports: %s', async (_what, text) => {
    const others = {
      'src-main/payments/b.ts': "import { c } from '../ledger/a.ts';\nexport const a = () => c;\n",
      'e2e/node/a.test.ts': "import { a } from '../../src-main/payments/b.ts';\nimport { b } from '../../src-main/ledger/a.ts';\na(b);\n",
    };
    const found = await deadExports({ ...others, 'src-main/ledger/a.ts': `${text}\n` });
    expect(found).toEqual([expect.stringMatching(/^src-main\/ledger\/a\.ts:\d exports a, which no file imports$/)]);
  });

  it.each([
    ['in braces', "import { b, type a as c } from './a.ts';\n"],
    ['on several lines', "import type {\n  a,\n} from './a.ts';\n"],
    ['with the file as a whole', "import * as whole from './a.ts';\nwhole.a();\n"],
    ['when it is needed', "const { a } = await import('./a.ts');\n"],
    ['as a type', "const c: import('./a.ts').a = 1;\n"],
    ['to hand it on', "export { a as b } from './a.ts';\n"],
  ])('know an export that a file imports %s', async (_how, text) => {
    const files = { 'src-main/ledger/a.ts': 'export const a = 1;\n', 'src-main/ledger/a.test.ts': text };
    expect((await deadExports(files)).filter((one) => one.includes('/a.ts:'))).toEqual([]);
  });

  it('know an export that a file imports from another one, which hands on everything', async () => {
    const files = {
      'src-shared/a.ts': 'export const a = 1;\n',
      'src-shared/b.ts': "export * from './a.ts';\n",
      'src-shared/a.test.ts': "import { a } from './b.ts';\na();\n",
    };
    expect(await deadExports(files)).toEqual([]);
  });

  it('find what came into a file since they remembered it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'paydesk-rules-'));
    const cacheFile = join(folder, 'sources.json');
    const broken = { ...HOUSE, 'src-main/ledger/days.ts': 'export const day = Date.now();\n' };
    const found = await check(broken);
    expect(found).toHaveLength(1);
    for (const files of [HOUSE, HOUSE]) expect(await check(files, cacheFile)).toEqual([]);
    for (const _ of [1, 2]) expect(await check(broken, cacheFile)).toEqual(found);
    writeFileSync(cacheFile, 'cut off in the middle of {');
    expect(await check(broken, cacheFile)).toEqual(found);
    rmSync(folder, { recursive: true });
  });
});
