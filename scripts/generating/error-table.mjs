// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ENDPOINTS, EVERYWHERE } from '../../src-main/open-payments-api/description/endpoints.ts';
import { PROBLEMS } from '../../src-main/open-payments-api/http/problems.ts';
import { root } from '../project.mjs';

// `node scripts/generating/error-table.mjs` rewrites the table of errors in docs/api.md. A test fails while it is old.

export const DOCUMENT = join(root, 'docs/api.md');
const BEGIN = '<!-- Written by scripts/generating/error-table.mjs from the code. -->';
const END = '<!-- End of what is written from the code. -->';

/** @typedef {keyof typeof PROBLEMS} Condition */

const CALLERS = {
  anyone: 'anybody, unsigned',
  client: 'the client named in the body, signed',
  token: 'a token with its signature',
  'anyone or token': 'anybody, or a token with its signature',
  peer: 'a peer with its bearer token',
};

/** @param {Condition} condition */
function row(condition) {
  const { status, code, words } = PROBLEMS[condition];
  return `| ${condition.replaceAll('_', ' ')} | ${status} | \`${code}\` | ${words.replaceAll('|', '\\|')} |`;
}

/** @param {readonly Condition[]} conditions */
const table = (conditions) => ['| Condition | Status | `code` | `description` |', '|---|---|---|---|', ...conditions.map(row)];

/** Makes the part of the document that comes from the code. */
function errorTables() {
  const parts = Object.entries(ENDPOINTS).flatMap(([name, { summary, caller, success, refusals }]) => [
    '',
    `### \`${name.replace(/:(\w+)/g, '{$1}')}\``,
    '',
    `${summary}. Called by ${CALLERS[caller]}; answers ${success}.`,
    ...(refusals.length === 0 ? [] : ['', ...table(refusals)]),
  ]);
  return ['### Every endpoint', '', ...table([...EVERYWHERE, 'not_found']), ...parts].join('\n');
}

/** The document with the tables of the current code. @param {string} text */
export function renewed(text) {
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error('docs/api.md has lost the lines between which its table stands.');
  return `${text.slice(0, begin)}${BEGIN}\n\n${errorTables()}\n\n${text.slice(end)}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeFileSync(DOCUMENT, renewed(readFileSync(DOCUMENT, 'utf8')));
