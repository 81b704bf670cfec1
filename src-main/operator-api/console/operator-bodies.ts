import type { FastifyInstance } from 'fastify';

const BODY_LIMIT = 64 * 1024;

/** The body is not JSON, or it holds a number that a double cannot hold exactly. */
class BadBody extends Error {
  readonly statusCode = 400;
}

/**
 * Accepts only JSON bodies. It refuses a whole number beyond 2^53, because parsing has already lost digits of it.
 * Scripts write large amounts as text.
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
