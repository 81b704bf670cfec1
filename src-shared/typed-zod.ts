import { core, ZodArray, ZodBase64, ZodString, ZodURL } from 'zod';

/**
 * Everything of zod, with another `string`, `url`, `base64` and `array`. Zod's own go on to their length checks after
 * the type did not fit, and such a check throws for `{"length": {"toString": 1}}`. These stop at the wrong type.
 */
export * from 'zod';

/** As zod's `string`. */
export const string = (params?: string | core.$ZodStringParams): ZodString => core._string<ZodString>(TypedString, params);

/** As zod's `url`. */
export const url = (params?: string | core.$ZodURLParams): ZodURL => core._url<ZodURL>(TypedUrl, params);

/** As zod's `base64`. */
export const base64 = (params?: string | core.$ZodBase64Params): ZodBase64 => core._base64<ZodBase64>(TypedBase64, params);

/** As zod's `array`. */
export function array<T extends core.SomeType>(element: T): ZodArray<T>;
export function array(element: core.$ZodType): ZodArray {
  return new TypedArray({ type: 'array', element });
}

// A schema makes its copies (`.max(9)`, `.trim()`) with the constructor it was made with, so all of them stop as well.
const TypedString = core.$constructor<ZodString>('TypedString', (schema, def) => {
  ZodString.init(schema, def);
  stopUnless(schema, isText);
});
const TypedUrl = core.$constructor<ZodURL>('TypedUrl', (schema, def) => {
  ZodURL.init(schema, def);
  stopUnless(schema, isText);
});
const TypedBase64 = core.$constructor<ZodBase64>('TypedBase64', (schema, def) => {
  ZodBase64.init(schema, def);
  stopUnless(schema, isText);
});
const TypedArray = core.$constructor<ZodArray>('TypedArray', (schema, def) => {
  ZodArray.init(schema, def);
  stopUnless(schema, Array.isArray);
});

const isText = (value: unknown): boolean => typeof value === 'string';

/** Marks what has another type as aborted, and zod then runs no check on it. */
function stopUnless(schema: core.$ZodType, fits: (value: unknown) => boolean): void {
  const { parse } = schema._zod;
  schema._zod.parse = (payload, context) => {
    const parsed = parse(payload, context);
    if (!fits(payload.value)) payload.aborted = true;
    return parsed;
  };
}
