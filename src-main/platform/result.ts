/** The outcome of an operation that is expected to fail at times. `E` names the reasons. */
export type Result<T, E> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });

export const refuse = <const E>(error: E): { readonly ok: false; readonly error: E } => ({ ok: false, error });

/** A write job throws it after its first write, so that its writes are undone; see {@link catchRefusal}. */
export class Refused<E> extends Error {
  readonly reason: E;
  constructor(reason: E) {
    super('refused');
    this.reason = reason;
  }
}

/** Turns a {@link Refused} that `work` throws into a value. It throws every other error again. */
export async function catchRefusal<T, E>(work: Promise<Result<T, E>>): Promise<Result<T, E>> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Refused) return refuse(error.reason as E);
    throw error;
  }
}
