/**
 * Describes an unexpected error for the log: its kind, its code and where it happened. The message is left out, because
 * a query builder or a parser may have put values into it.
 */
export function describeError(error: unknown): { error: string; code?: string; at?: string[]; cause?: ReturnType<typeof describeError> } {
  if (!(error instanceof Error)) return { error: typeof error };
  const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at ')) ?? [];
  return {
    error: error.name,
    ...('code' in error && { code: String(error.code) }),
    at: frames.slice(0, 8).map((line) => line.trim()),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}
