import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';

// All words of the console stand in src-renderer/messages, and in src-shared/words what a terminal says too. Here every component is parsed, and each text that
// would reach a reader without coming from there is named. What programs read (codes of currencies, examples of addresses) belongs there too: a reader reads it.

const FOLDER = join(import.meta.dirname, '../src-renderer');
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.tsx') && !name.includes('.test.') && !name.startsWith('testing'),
);

/** Attributes whose text is shown or read aloud. */
const SPOKEN = new Set([
  'label',
  'title',
  'placeholder',
  'description',
  'error',
  'alt',
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
  'message',
  'nothingFound',
  'lead',
  'words',
  'action',
  'advice',
  'what',
]);
/** The same among the properties of an object. */
const SPOKEN_PROPERTIES = new Set(['label', 'title', 'placeholder', 'description', 'message']);
/** A word: two letters that belong together. Signs such as "·" and "–" need no translation. */
const WORD = /\p{L}{2,}/u;

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
const childrenOf = (node: Node): Node[] =>
  Object.entries(node).flatMap(([name, value]) =>
    name === 'parent' ? [] : Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );

/** Text that an expression may come to: its own, or one of what it chooses between. */
function textsOf(node: unknown): string[] {
  if (!isNode(node)) return [];
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : [];
    case 'TemplateLiteral':
      return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
    case 'ConditionalExpression':
      return [...textsOf(node.consequent), ...textsOf(node.alternate)];
    case 'LogicalExpression':
      return [...textsOf(node.left), ...textsOf(node.right)];
    case 'BinaryExpression':
      return node.operator === '+' ? [...textsOf(node.left), ...textsOf(node.right)] : [];
    case 'JSXExpressionContainer':
      return textsOf(node.expression);
    default:
      return [];
  }
}

function shownTexts(node: Node): string[] {
  if (node.type === 'JSXText') return [String(node.value)];
  if (node.type === 'JSXElement' || node.type === 'JSXFragment')
    return (node.children as Node[]).filter(({ type }) => type === 'JSXExpressionContainer').flatMap(textsOf);
  if (node.type === 'JSXAttribute') {
    const { name } = node.name as { name: unknown };
    return typeof name === 'string' && SPOKEN.has(name) ? textsOf(node.value) : [];
  }
  // Such as { message: '…' } of a notification and { label: '…' } of a choice.
  if (node.type === 'Property' && isNode(node.key)) {
    const name = String(node.key.name ?? node.key.value);
    return SPOKEN_PROPERTIES.has(name) ? textsOf(node.value) : [];
  }
  return [];
}

/** Every text of a component that a reader would see untranslated, with its line. */
function strayWords(name: string, text: string): string[] {
  const { program } = parseSync(name, text) as unknown as { program: Node };
  const found: string[] = [];
  const visit = (node: Node) => {
    for (const shown of shownTexts(node)) {
      if (WORD.test(shown)) found.push(`${name}:${text.slice(0, node.start).split('\n').length} ${shown.trim()}`);
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(program);
  return found;
}

describe('the words of the console', () => {
  it('stand in its message catalogues only', () => {
    expect(files.length).toBeGreaterThan(60);
    expect(files.flatMap((name) => strayWords(name, readFileSync(join(FOLDER, name), 'utf8')))).toEqual([]);
  });

  it.each([
    ['<p>Hello</p>', 'Hello'],
    ["<p>{'Hello'}</p>", 'Hello'],
    ["<p>{isOpen ? 'Open' : words.closed}</p>", 'Open'],
    ["<p>{isOpen && 'Open'}</p>", 'Open'],
    ['<p>{`At ` + time}</p>', 'At'],
    ['<b aria-label="Close">x</b>', 'Close'],
    ["<B label={'Name'} />", 'Name'],
    ["notifications.show({ message: 'Saved' })", 'Saved'],
    ["<S data={[{ value: 'a', label: 'All' }]} />", 'All'],
  ])('are found in %s', (source, word) => {
    expect(strayWords('a.tsx', `export const x = ${source};`)).toEqual([`a.tsx:1 ${word}`]);
  });

  it.each(['<p>{words.title}</p>', "<p className='open'>·</p>", "<p>{a}{' · '}{b}</p>", '<S variant="default" size="sm" />'])(
    'are not seen in %s',
    (source) => {
      expect(strayWords('a.tsx', `export const x = ${source};`)).toEqual([]);
    },
  );
});
