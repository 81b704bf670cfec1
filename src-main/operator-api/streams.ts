/** Whether an operation answers with a stream of values. */
export const isStream = (output: unknown): output is AsyncIterable<unknown> =>
  typeof output === 'object' && output !== null && Symbol.asyncIterator in output;

/** The values of a stream, as long as `check` lets each one pass. What it throws ends the stream. */
export async function* checked(values: AsyncIterable<unknown>, check: () => Promise<void>): AsyncGenerator<unknown> {
  for await (const value of values) {
    await check();
    yield value;
  }
}
