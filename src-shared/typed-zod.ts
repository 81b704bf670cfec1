import { core, ZodArray, ZodBase64, ZodString, ZodURL } from 'zod';

/**
 * Everything of zod, with another `string`, `url`, `base64` and `array`. Zod's own go on to their length checks after
 * the type did not fit, and such a check throws for `{"length": {"toString": 1}}`. These stop at the wrong type. The
 * texts also refuse a NUL character, which PostgreSQL cannot store (decisions.md#D-110).
 */
export * from 'zod';

/** Stands for zod's `string`. */
export const string = (params?: string | core.$ZodStringParams): ZodString => core._string<ZodString>(TypedString, params);

/** Stands for zod's `url`. */
export const url = (params?: string | core.$ZodURLParams): ZodURL => core._url<ZodURL>(TypedUrl, params);

/** Stands for zod's `base64`. */
export const base64 = (params?: string | core.$ZodBase64Params): ZodBase64 => core._base64<ZodBase64>(TypedBase64, params);

/** Stands for zod's `array`. */
export function array<T extends core.SomeType>(element: T): ZodArray<T>;
export function array(element: core.$ZodType): ZodArray {
  return new TypedArray({ type: 'array', element });
}

// A schema makes its copies (`.max(9)`, `.trim()`) with the constructor it was made with, so all of them stop as well.
const TypedString = core.$constructor<ZodString>('TypedString', (schema, def) => {
  ZodString.init(schema, def);
  stopUnless(schema, isText);
  refuseNul(schema);
});
const TypedUrl = core.$constructor<ZodURL>('TypedUrl', (schema, def) => {
  ZodURL.init(schema, def);
  stopUnless(schema, isText);
  refuseNul(schema);
});
const TypedBase64 = core.$constructor<ZodBase64>('TypedBase64', (schema, def) => {
  ZodBase64.init(schema, def);
  stopUnless(schema, isText);
  refuseNul(schema);
});
const TypedArray = core.$constructor<ZodArray>('TypedArray', (schema, def) => {
  ZodArray.init(schema, def);
  stopUnless(schema, Array.isArray);
});

const isText = (value: unknown): boolean => typeof value === 'string';

/**
 * Whether no text in a JSON value has a NUL character, neither as a value nor as a name of a member. It is for values
 * whose form no schema states.
 */
export function hasNoNul(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes(NUL);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, member]) => !name.includes(NUL) && hasNoNul(member));
}

/** Why a text with a NUL character is refused. */
export const NO_NUL = 'must have no NUL character (U+0000)';
const NUL = '\0';

function refuseNul(schema: core.$ZodType): void {
  const { parse } = schema._zod;
  schema._zod.parse = (payload, context) => {
    const parsed = parse(payload, context);
    if (isText(payload.value) && !hasNoNul(payload.value)) {
      payload.issues.push({ code: 'custom', message: NO_NUL, input: payload.value, inst: schema });
      payload.aborted = true;
    }
    return parsed;
  };
}

/** Marks what has another type as aborted, and zod then runs no check on it. */
function stopUnless(schema: core.$ZodType, fits: (value: unknown) => boolean): void {
  const { parse } = schema._zod;
  schema._zod.parse = (payload, context) => {
    const parsed = parse(payload, context);
    if (!fits(payload.value)) payload.aborted = true;
    return parsed;
  };
}
