/** A time by which something has to be over. Its holder ends it, so that no timer is left behind. */
interface Deadline {
  /** It is aborted when the time is up, or before that with the signal that was given. */
  readonly signal: AbortSignal;
  /** Stops the timer. It is called once the work is over, and may be called again. */
  end(): void;
}

/**
 * Starts a deadline. `AbortSignal.timeout` keeps its timer to the last, and `AbortSignal.any` all its sources: a
 * thousand short requests a second would leave thousands of both.
 * @param ms the time in milliseconds.
 * @param given ends the work earlier.
 */
export function startDeadline(ms: number, given?: AbortSignal): Deadline {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const timer = setTimeout(abort, ms).unref();
  if (given?.aborted) abort();
  given?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer);
      given?.removeEventListener('abort', abort);
    },
  };
}
