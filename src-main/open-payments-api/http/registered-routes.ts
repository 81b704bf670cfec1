import type { FastifyInstance } from 'fastify';
import { z } from '../../../src-shared/zod.ts';

/** A route as it was registered, with the schemas that validate it. */
export interface RegisteredRoute {
  /** The endpoint, such as `GET /quotes/:id`. */
  endpoint: string;
  body: z.ZodType | undefined;
  params: z.ZodType | undefined;
  querystring: z.ZodType | undefined;
  /** The schemas of successes, by status. */
  answers: ReadonlyMap<string, z.ZodType>;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route so far, without the `HEAD` routes that Fastify adds to each `GET`. */
    registeredRoutes: RegisteredRoute[];
  }
}

/** Remembers the routes that are registered from now on. It must run before anything that changes their schemas. */
export function collectRoutes(app: FastifyInstance): void {
  const routes: RegisteredRoute[] = [];
  app.decorate('registeredRoutes', routes);
  app.addHook('onRoute', ({ method, url, schema }) => {
    // Paired tills are the shop's own devices: what they call is in the operator contract.
    if (url.startsWith('/till/')) return;
    for (const one of [method].flat()) {
      if (one === 'HEAD') continue;
      const answers = Object.entries(schema?.response ?? {}).flatMap(([status, answer]): [string, z.ZodType][] =>
        answer instanceof z.ZodType ? [[status, answer]] : [],
      );
      routes.push({
        endpoint: `${one} ${url}`,
        body: zodOf(schema?.body),
        params: zodOf(schema?.params),
        querystring: zodOf(schema?.querystring),
        answers: new Map(answers),
      });
    }
  });
}

const zodOf = (schema: unknown): z.ZodType | undefined => (schema instanceof z.ZodType ? schema : undefined);
