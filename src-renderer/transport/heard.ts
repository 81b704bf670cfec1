/**
 * The node sends something on the stream of changes at least twice a second, if only a mark that it is alive: silence there means that it
 * hangs, or that the way to it is cut without anybody saying so.
 */
const listeners = new Set<() => void>();

/** Calls `listener` whenever something has come on a stream, marks included. Returns the way to stop it. */
export function onHeard(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The same answer; if it is a stream, whatever comes on it is noticed. */
export function overhear(response: Response): Response {
  if (response.body === null || !response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
  const notice = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      controller.enqueue(chunk);
      for (const listener of listeners) listener();
    },
  });
  return new Response(response.body.pipeThrough(notice), response);
}
