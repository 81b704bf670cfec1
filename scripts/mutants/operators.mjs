import { parseSync } from 'vite';

/**
 * A change to one place of a source file.
 * @typedef {{
 *   file: string, name: string, start: number, end: number, original: string, replacement: string, key: string
 * }} Mutant
 */

/** @type {Record<string, string>} */
const SWAPPED = {
  ...{ '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===' },
  ...{ '+': '-', '-': '+', '*': '/', '/': '*', '%': '*', '+=': '-=', '-=': '+=' },
};
/** Operators inside SQL, the longer ones first. */
const IN_SQL = /<=|>=|<>| (?:=|<|>|\+|-|\*|and|or) /g;
/** @type {Record<string, string>} */
const SQL_SWAPPED = {
  ...{ '<=': '<', '>=': '>', '<>': '=', ' = ': ' <> ', ' < ': ' <= ', ' > ': ' >= ' },
  ...{ ' + ': ' - ', ' - ': ' + ', ' * ': ' / ', ' and ': ' or ', ' or ': ' and ' },
};

/**
 * Makes every mutant of the named functions and constants of a file. No mutant is chosen by hand.
 * @param {string} file
 * @param {string} text
 * @param {readonly string[]} names `function`, `constant`, `Class.method` or `Class.#method`
 * @returns {{ mutants: Mutant[], lines: number }} `lines`: how many lines of code they have together.
 * @throws {Error} when the file has no such name, because the list then speaks of code that is gone.
 */
export function mutantsOf(file, text, names) {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const found = declarations(program);
  let lines = 0;
  const mutants = names.flatMap((name) => {
    const node = found.get(name);
    if (node === undefined) throw new Error(`${file} has no ${name} any more; see scripts/mutants/places.mjs`);
    lines += codeLines(text.slice(node.start, node.end));
    /** @type {Mutant[]} */
    const made = [];
    const add = (from, to, replacement) => {
      const original = text.slice(from, to);
      const same = made.filter((one) => one.original === original && one.replacement === replacement).length;
      const short = [original, replacement].map((code) => code.replace(/\s+/g, ' ').trim());
      const key = `${file} ${name}: ${short[0]} → ${short[1] === '' ? 'nothing' : short[1]}${same === 0 ? '' : ` (${same + 1})`}`;
      made.push({ file, name, start: from, end: to, original, replacement, key });
    };
    visit(node, text, add);
    return made;
  });
  return { mutants, lines };
}

const codeLines = (code) => code.split('\n').filter((line) => !/^\s*(\/\/|\/\*|\*|$)/.test(line)).length;

/** What a file declares, by the name that the list of places uses. */
const declarations = (program) => new Map(program.body.flatMap((statement) => declared(statement.declaration ?? statement)));

function declared(node) {
  if (node.type === 'FunctionDeclaration') return [[node.id.name, node]];
  if (node.type === 'VariableDeclaration') return node.declarations.map((one) => [one.id.name, one]);
  if (node.type !== 'ClassDeclaration') return [];
  const methods = node.body.body.filter((member) => member.type === 'MethodDefinition');
  return methods.map((method) => [`${node.id.name}.${method.key.type === 'PrivateIdentifier' ? '#' : ''}${method.key.name}`, method]);
}

/** Types are no code that runs, and an import or a directive is none that decides. */
const isLeftOut = (node) => node.type.startsWith('TSType') || node.type.startsWith('TSInterface');

function visit(node, text, add) {
  if (isLeftOut(node)) return;
  OPERATORS[node.type]?.(node, add, text);
  for (const child of Object.values(node).flat()) {
    if (typeof child === 'object' && child !== null && typeof child.type === 'string') visit(child, text, add);
  }
}

/** @returns the place of the operator between two operands. */
function operatorPlace({ left, right, operator }, text) {
  const between = text.slice(left.end, right.start);
  const start = left.end + between.indexOf(operator);
  return [start, start + operator.length];
}

/** The mutants of each kind of node. */
const OPERATORS = {
  BinaryExpression(node, add, text) {
    const swapped = SWAPPED[node.operator];
    if (swapped === undefined || [node.left, node.right].some((side) => isText(side) || isNothing(side))) return;
    const [from, to] = operatorPlace(node, text);
    add(node.start, node.end, text.slice(node.start, from) + swapped + text.slice(to, node.end));
  },
  LogicalExpression(node, add, text) {
    const source = (of) => text.slice(of.start, of.end);
    if (node.operator !== '??') add(node.start, node.end, `(${source(node.left)})`);
    add(node.start, node.end, `(${source(node.right)})`);
  },
  AssignmentExpression(node, add, text) {
    const swapped = SWAPPED[node.operator];
    if (swapped === undefined) return;
    const [from, to] = operatorPlace(node, text);
    add(node.start, node.end, text.slice(node.start, from) + swapped + text.slice(to, node.end));
  },
  UnaryExpression(node, add, text) {
    if (node.operator === '!' || node.operator === '-')
      add(node.start, node.end, `(${text.slice(node.argument.start, node.argument.end)})`);
  },
  IfStatement(node, add) {
    add(node.test.start, node.test.end, 'false');
  },
  WhileStatement(node, add) {
    add(node.test.start, node.test.end, 'false');
  },
  ConditionalExpression(node, add, text) {
    for (const branch of [node.consequent, node.alternate]) add(node.start, node.end, `(${text.slice(branch.start, branch.end)})`);
  },
  ExpressionStatement(node, add) {
    add(node.start, node.end, '{}');
  },
  Literal(node, add) {
    if (typeof node.value === 'boolean') add(node.start, node.end, String(!node.value));
  },
  CallExpression(node, add, text) {
    const name = node.callee.name ?? node.callee.property?.name;
    const object = node.callee.object?.name;
    if (name === 'and' || name === 'or' || name === 'where') {
      // A condition that `and` or `or` joins is taken out by itself.
      const parts = node.arguments.filter((part) => name !== 'where' || !['and', 'or'].includes(part.callee?.name));
      for (const part of parts) add(part.start, part.end, 'undefined');
    }
    if (object === 'Math' && (name === 'min' || name === 'max')) {
      const { start, end } = node.callee;
      add(start, end, name === 'min' ? 'Math.max' : 'Math.min');
    }
    if (name === 'pragma' && isText(node.arguments[0]) && text.slice(node.start, node.end).includes('synchronous')) {
      add(node.arguments[0].start, node.arguments[0].end, "'synchronous = OFF'");
    }
  },
  TaggedTemplateExpression(node, add, text) {
    if (node.tag.name !== 'sql') return;
    for (const part of node.quasi.quasis) {
      const start = text.indexOf(part.value.raw, part.start);
      for (const { 0: found, index } of part.value.raw.matchAll(IN_SQL)) {
        const swapped = SQL_SWAPPED[found];
        if (swapped !== undefined) add(start + index, start + index + found.length, swapped);
      }
    }
  },
};

/** `x === undefined` stands in a condition, whose mutants say the same. */
const isNothing = (node) => node.name === 'undefined' || (node.type === 'Literal' && node.value === null);
const isText = (node) => node?.type === 'TemplateLiteral' || (node?.type === 'Literal' && typeof node.value === 'string');
