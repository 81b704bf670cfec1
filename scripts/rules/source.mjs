import { parseSync } from 'vite';

/**
 * @typedef {{ specifier: string, typeOnly: boolean, dynamic?: boolean, names: string[], line: number }} Import
 * @typedef {{ what: string, line: number }} Use
 * @typedef {{ table: string, line: number }} TableWrite
 * @typedef {{ text: string, line: number }} Sql
 * @typedef {{ imports: Import[], uses: Use[], tableWrites: TableWrite[], sql: Sql[] }} Source
 */

const CLOCK_MEMBERS = new Map([
  ['Date', 'now'],
  ['Math', 'random'],
  ['process', 'env'],
]);
const GLOBALS = new Set(['globalThis', 'window', 'self']);
const WRITES = new Set(['insert', 'update', 'delete']);

/**
 * Reads what a TypeScript file imports, which of the watched globals it uses, which tables it writes, and its SQL.
 * @param {string} path
 * @param {string} text
 * @returns {Source}
 */
export function readSource(path, text) {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const lineOf = lineFinder(text);
  /** @type {Source} */
  const source = { imports: [], uses: [], tableWrites: [], sql: [] };
  const visit = (node, parent) => {
    const found = importOf(node);
    if (found !== undefined) source.imports.push({ ...found, line: lineOf(node.start) });
    const what = useOf(node, parent);
    if (what !== undefined) source.uses.push({ what, line: lineOf(node.start) });
    const table = writtenTable(node);
    if (table !== undefined) source.tableWrites.push({ table, line: lineOf(node.start) });
    const text = sqlOf(node);
    if (text !== undefined) source.sql.push({ text, line: lineOf(node.start) });
    visitChildren(node, visit);
  };
  visit(program, undefined);
  return source;
}

function lineFinder(text) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    const after = starts.findIndex((start) => start > offset);
    return after < 0 ? starts.length : after;
  };
}

/** Every node of every source file passes here, so it makes no list of the children. */
function visitChildren(node, visit) {
  for (const key in node) {
    const value = node[key];
    if (typeof value !== 'object' || value === null) continue;
    if (typeof value.type === 'string') visit(value, node);
    else if (Array.isArray(value)) for (const child of value) if (typeof child?.type === 'string') visit(child, node);
  }
}

function importOf(node) {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration': {
      if (!node.source) return undefined;
      const specifiers = node.specifiers ?? [];
      const kinds = specifiers.map((one) => one.importKind ?? one.exportKind);
      return {
        specifier: node.source.value,
        typeOnly: (node.importKind ?? node.exportKind) === 'type' || (kinds.length > 0 && kinds.every((kind) => kind === 'type')),
        names: specifiers.map((one) => one.imported?.name ?? one.local?.name ?? ''),
      };
    }
    case 'ImportExpression':
      return node.source.type === 'Literal'
        ? { specifier: String(node.source.value), typeOnly: false, dynamic: true, names: [] }
        : undefined;
    case 'TSImportType':
      return { specifier: String(node.source?.value ?? node.argument?.literal?.value), typeOnly: true, names: [] };
    default:
      return undefined;
  }
}

function useOf(node, parent) {
  if (node.type === 'MemberExpression' && node.object.type === 'Identifier') {
    const member = node.computed ? node.property.value : node.property.name;
    if (CLOCK_MEMBERS.has(node.object.name) && CLOCK_MEMBERS.get(node.object.name) === member) return `${node.object.name}.${member}`;
    if (GLOBALS.has(node.object.name) && member === 'fetch') return 'fetch';
  }
  if (node.type === 'NewExpression' && node.callee.name === 'Date' && node.arguments.length === 0) return 'new Date()';
  if (node.type === 'Identifier' && node.name === 'fetch' && !namesAMember(node, parent)) return 'fetch';
  return undefined;
}

function namesAMember(node, parent) {
  if (parent === undefined) return false;
  if (parent.type === 'MemberExpression') return parent.property === node && !parent.computed;
  return parent.key === node && parent.shorthand !== true;
}

/** The table named in `tx.insert(table)`, `tx.update(table)` or `tx.delete(table)`. */
function writtenTable(node) {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression' || !WRITES.has(node.callee.property.name)) return undefined;
  const table = node.arguments[0];
  if (table?.type === 'MemberExpression') return table.object.name;
  return table?.type === 'Identifier' ? table.name : undefined;
}

/** The text of a template with the tag `sql`. A `$` stands for each of its values. */
function sqlOf(node) {
  if (node.type !== 'TaggedTemplateExpression' || node.tag.name !== 'sql') return undefined;
  return node.quasi.quasis.map((part) => part.value.raw).join('$');
}
