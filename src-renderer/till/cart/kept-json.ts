/** Writes a value with its bigints as JSON. */
export const writeKept = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? { units: one.toString() } : one));

/** Reads what {@link writeKept} wrote. It is undefined for a text that is no JSON. */
export function readKept(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text, (_, one: unknown) => (isUnits(one) ? BigInt(one.units) : one));
  } catch {
    return undefined;
  }
}

const isUnits = (value: unknown): value is { units: string } =>
  isRecord(value) && Object.keys(value).length === 1 && typeof value.units === 'string' && /^-?\d{1,30}$/.test(value.units);

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
