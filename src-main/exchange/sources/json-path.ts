/** A way into a JSON document: names of members and places in arrays. */
type JsonPath = readonly (string | number)[];

/** The most characters and steps of a path. */
const MOST_PATH = 200;
const MOST_STEPS = 16;

/**
 * One step: `.name`, `[3]` or `["any name"]`. A name outside quotes has letters, digits, `_` and `-`. In quotes there
 * is neither a quote nor a backslash.
 */
const STEP = /\.([A-Za-z_][\w-]*)|\[(0|[1-9]\d{0,3})\]|\["([^"\\]+)"\]/y;

/**
 * Reads a path such as `rates.USD`, `data[0].price` or `["EUR/USD"].last`. It may begin with `$`.
 * @returns undefined when the text is no path.
 */
export function parseJsonPath(text: string): JsonPath | undefined {
  const trimmed = text.trim().replace(/^\$/, '');
  if (trimmed === '' || trimmed.length > MOST_PATH) return undefined;
  const all = /^[.[]/.test(trimmed) ? trimmed : `.${trimmed}`;
  const path: (string | number)[] = [];
  STEP.lastIndex = 0;
  for (let at = 0; at < all.length; at = STEP.lastIndex) {
    const [step, name, index, quoted] = STEP.exec(all) ?? [];
    if (step === undefined || path.length === MOST_STEPS) return undefined;
    path.push(index === undefined ? (name ?? quoted ?? '') : Number(index));
  }
  return path;
}

/** What stands at a path; undefined where there is nothing. What an object inherits does not count. */
export function valueAt(document: unknown, path: JsonPath): unknown {
  let value = document;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value) !== (typeof step === 'number') || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

/** A string, or a number outside strings. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/**
 * Parses JSON so that each number becomes the text of which it consists. A number of JavaScript would round it.
 * @throws SyntaxError when the text is not JSON.
 */
export function parseExactJson(text: string): unknown {
  JSON.parse(text);
  return JSON.parse(text.replace(TOKEN, (token) => (token.startsWith('"') ? token : `"${token}"`)));
}
