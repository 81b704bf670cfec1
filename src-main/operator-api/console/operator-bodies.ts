import type { FastifyInstance } from 'fastify';

const BODY_LIMIT = 64 * 1024;

/** A body that is no JSON, or holds a number that a double has rounded. */
class BadBody extends Error {
  readonly statusCode = 400;
}

/**
 * Takes JSON bodies and nothing else. A number beyond 2^53 is refused, because it has lost digits by the time anyone sees
 * it: large amounts come as text.
 */
export function takeJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: BODY_LIMIT }, async (_request: unknown, body: string) =>
    body === '' ? undefined : parse(body),
  );
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body, (_key, value: unknown) => {
      if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) throw new RangeError('rounded');
      return value;
    });
  } catch {
    throw new BadBody('The body is no JSON, or has a number too large to be exact. Write amounts as text.');
  }
}
