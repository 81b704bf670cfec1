import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';

// Every word that a person reads is in src-shared/words, where it can be translated. This test parses each file of the
// folders below. It names each text that would reach a reader and is not from src-shared/words.

/** Folders whose files must hold no text for readers. */
const FOLDERS = ['src-renderer', 'src-main/desktop', 'src-main/headless', 'src-main/open-payments-api/pages', 'src-main/platform/settings'];

const ROOT = join(import.meta.dirname, '..');
const isSource = (name: string) => /\.tsx?$/.test(name) && !name.includes('.test.') && !name.split(/[\\/]/).includes('testing');
const sourcesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(isSource)
    .map((name) => `${folder}/${name}`);
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const files = FOLDERS.flatMap(sourcesIn);

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
/** Properties of an object whose text is shown or read aloud. */
const SPOKEN_PROPERTIES = new Set(['label', 'title', 'placeholder', 'description', 'message']);
/** A word: two letters in a row. Signs such as "·" and "–" need no translation. */
const WORD = /\p{L}{2,}/u;
/**
 * Two words in a row, the second of them in small letters. Sentences and labels contain such words; codes and styles do
 * not.
 */
const PHRASE = /(?:^|\s)\p{L}+[,;:]?\s\p{Ll}{2,}(?![-\p{L}])/u;
/** Errors whose message the operator reads. */
const SHOWN_ERRORS = new Set(['ReportedError', 'NotStored', 'DatabaseStopped']);
const LOG_LEVELS = new Set(['debug', 'info', 'warn', 'error']);

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

/** Texts that an expression may result in: its own text, or the texts between which it chooses. */
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
  // An example is { message: '…' } of a notification, another is { label: '…' } of a choice.
  if (node.type === 'Property' && isNode(node.key)) {
    const name = String(node.key.name ?? node.key.value);
    return SPOKEN_PROPERTIES.has(name) ? textsOf(node.value) : [];
  }
  return [];
}

/**
 * Whether a syntax node and everything in it is for the people who make paydesk: log messages, and errors that no
 * operator is expected to see.
 */
function isForMakers(node: Node): boolean {
  if (!isNode(node.callee)) return false;
  const { type, name, property } = node.callee;
  if (node.type === 'NewExpression') return type === 'Identifier' && name === 'Error';
  return type === 'MemberExpression' && isNode(property) && LOG_LEVELS.has(String(property.name));
}

/** The lines of a text that a reader might see. Tags and the lines of styles and scripts are left out. */
const readableLines = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => !/[{};]\s*$/.test(line))
    .flatMap((line) => line.split(/<[^<>]*>?/));

/** The texts of a syntax node that read like a phrase, in any place of the code. */
function phraseOf(node: Node): string[] {
  const text = node.type === 'Literal' ? node.value : node.type === 'TemplateElement' && (node.value as { cooked: string }).cooked;
  return typeof text === 'string' && readableLines(text).some((line) => PHRASE.test(line)) ? [text] : [];
}

/** The message of an error that the operator reads, if the file itself contains the message. */
const shownMessages = ({ type, callee, arguments: given }: Node): string[] =>
  type === 'NewExpression' && isNode(callee) && SHOWN_ERRORS.has(String(callee.name)) ? textsOf((given as Node[])[0]) : [];

/** Every text of a file that a reader would see and that cannot be translated, with its line. */
const strayWords = (name: string, text: string): string[] => wordsIn(name, text, (node) => [...shownTexts(node), ...phraseOf(node)]);

/** What `textsIn` finds in the nodes of a file that are not for the people who make paydesk, with its line. */
function wordsIn(name: string, text: string, textsIn: (node: Node) => string[]): string[] {
  const { program } = parseSync(name, text) as unknown as { program: Node };
  const found = new Set<string>();
  const visit = (node: Node) => {
    if (isForMakers(node)) return;
    for (const shown of textsIn(node)) {
      if (WORD.test(shown)) found.add(`${name}:${text.slice(0, node.start).split('\n').length} ${shown.trim()}`);
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(program);
  return [...found];
}

describe('the words a person reads', () => {
  it('are in src-shared/words only', () => {
    expect(files.length).toBeGreaterThan(200);
    expect(files.flatMap((name) => strayWords(name, textOf(name)))).toEqual([]);
  });

  it('are there for every error that the operator reads', () => {
    expect(sourcesIn('src-main').flatMap((name) => wordsIn(name, textOf(name), shownMessages))).toEqual([]);
  });

  it.each([
    ["new ReportedError('Stopped.')", 'Stopped.'],
    ['new ReportedError(`Empty: ` + name)', 'Empty:'],
    ["new NotStored(isFull ? 'Full' : words.damaged, { cause })", 'Full'],
  ])('are found as the message in %s', (source, word) => {
    expect(wordsIn('a.ts', `export const x = ${source};`, shownMessages)).toEqual([`a.ts:1 ${word}`]);
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
    ["new ReportedError('The disk is full.')", 'The disk is full.'],
    ["(count: number) => count + ' payments failed'", 'payments failed'],
    ["isOpen ? 'Quit, or stay' : ''", 'Quit, or stay'],
    ["html`<p class='a'>Pay with your wallet</p>`", "<p class='a'>Pay with your wallet</p>"],
  ])('are found in %s', (source, word) => {
    expect(strayWords('a.tsx', `export const x = ${source};`)).toEqual([`a.tsx:1 ${word}`]);
  });

  it.each([
    '<p>{words.title}</p>',
    "<p className='open'>·</p>",
    "<p>{a}{' · '}{b}</p>",
    '<S variant="default" size="sm" />',
    "log.warn({ err }, 'the link could not be opened')",
    "new Error('no root in the page')",
    "'text/html; charset=utf-8'",
    "'-----BEGIN PRIVATE KEY-----'",
    "`<p class='left open'>\\n  const path = location.pathname;\\n</p>`",
  ])('are not seen in %s', (source) => {
    expect(strayWords('a.tsx', `export const x = ${source};`)).toEqual([]);
  });
});
