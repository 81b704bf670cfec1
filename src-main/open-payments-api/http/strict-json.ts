import { ok, type Result, refuse } from '../../platform/result.ts';

/**
 * No real body is nested so deeply. Without a bound a body of brackets could exhaust the stack of the code that walks
 * it.
 */
const MAX_DEPTH = 64;
/** No double needs more characters, however it is written. */
const MAX_LITERAL = 400;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Why the node does not take a body, in words for the client. */
type JsonProblem = string;

/**
 * Parses JSON that has one meaning only, so that the node understands what the client has signed, and writes it again
 * without a change. It refuses malformed text, duplicate keys, `__proto__`, numbers that a double would change, and
 * nesting deeper than 64 (decisions.md#D-13).
 */
export function parseStrictJson(bytes: Uint8Array): Result<unknown, JsonProblem> {
  let text: string;
  let value: unknown;
  try {
    text = utf8.decode(bytes);
    value = JSON.parse(text);
  } catch {
    return refuse('The body is not valid JSON.');
  }
  const problem = ambiguityOf(text);
  return problem === undefined ? ok(value) : refuse(problem);
}

const NUMBER = /-?[\d.eE+-]+/y;

/** The keys seen in each open object, the innermost last. It holds undefined for an open array. */
type Open = (Set<string> | undefined)[];

/** Walks through text that is known to be valid JSON. */
function ambiguityOf(text: string): JsonProblem | undefined {
  const open: Open = [];
  let at = 0;
  while (at < text.length) {
    const token = readToken(text, at, open);
    if (typeof token === 'string') return token;
    at = token;
  }
  return undefined;
}

/** Reads the token that begins at `at`. @returns the index after it, or why the text is refused. */
function readToken(text: string, at: number, open: Open): number | JsonProblem {
  const character = text[at] ?? '';
  if (character === '"') return readString(text, at, open);
  if (character === '-' || (character >= '0' && character <= '9')) return readNumber(text, at);
  if (character === '{' || character === '[') {
    const depth = open.push(character === '{' ? new Set() : undefined);
    return depth > MAX_DEPTH ? 'The body is nested too deeply.' : at + 1;
  }
  if (character === '}' || character === ']') open.pop();
  return at + 1;
}

function readString(text: string, at: number, open: Open): number | JsonProblem {
  const end = endOfString(text, at);
  const keys = open.at(-1);
  if (keys === undefined || !isKey(text, end)) return end;
  return addKey(keys, text.slice(at, end)) ?? end;
}

function readNumber(text: string, at: number): number | JsonProblem {
  NUMBER.lastIndex = at;
  const literal = NUMBER.exec(text)?.[0] ?? text.slice(at, at + 1);
  return survivesAsDouble(literal) ? at + literal.length : 'The body has a number that cannot be kept exactly. Write it as a string.';
}

/** @returns the index after the closing quote of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === '"') return i + 1;
  }
  return text.length;
}

const COLON = /[ \t\r\n]*:/y;

function isKey(text: string, end: number): boolean {
  COLON.lastIndex = end;
  return COLON.test(text);
}

function addKey(keys: Set<string>, literal: string): JsonProblem | undefined {
  const key = literal.includes('\\') ? String(JSON.parse(literal)) : literal.slice(1, -1);
  if (key === '__proto__') return 'The body has a key named __proto__.';
  if (keys.has(key)) return 'The body has a key twice.';
  keys.add(key);
  return undefined;
}

/**
 * Whether a number keeps its meaning when it becomes a double and is written again. A fraction of at most 17 digits is
 * taken as it is, because a writer of doubles may need that many.
 */
function survivesAsDouble(literal: string): boolean {
  const value = Number(literal);
  if (!Number.isFinite(value) || literal.length > MAX_LITERAL) return false;
  const given = decimalOf(literal);
  const kept = decimalOf(String(value));
  if (given.digits === kept.digits && (given.digits === '' || given.exponent === kept.exponent)) return true;
  if (given.exponent < 0) return value !== 0 && given.digits.length <= 17;
  return BigInt(value) === BigInt(literal.startsWith('-') ? -1 : 1) * BigInt(given.digits) * 10n ** BigInt(given.exponent);
}

/** The absolute value of a number's text as `digits`·10^`exponent`, without zeros at either end of the digits. */
function decimalOf(text: string): { digits: string; exponent: number } {
  const [mantissa = '', exponent = '0'] = text.replace(/^-/, '').toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  return { digits: significant, exponent: Number(exponent) - fraction.length + (digits.length - significant.length) };
}
