import { readFileSync } from 'node:fs';
import { getAuthServerOpenAPI, getResourceServerOpenAPI, getWalletAddressServerOpenAPI } from '@interledger/open-payments';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parseUint64 } from '../../../src-shared/amounts.ts';

/** An answer of the node, as it came. */
interface ObservedAnswer {
  method: string;
  url: string;
  status: number;
  headers: Headers;
  text: string;
}

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}
type Paths = Record<string, Record<string, Operation | undefined> | undefined>;

/** Statuses that the documents do not list everywhere and that extend their tables (decisions.md#D-08). */
const EXTENSIONS = new Set([400, 401, 403, 404, 409, 413, 415, 429, 503]);
/** The body of a refusal as the resource server's document has it. The node uses it everywhere. */
const ERROR = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'description'],
      properties: { code: { type: 'string', minLength: 1 }, description: { type: 'string', minLength: 1 }, details: { type: 'object' } },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};
/** A member to which the OpenAPI document gives no format, although it is a time like the others. */
const EXPIRY = { type: 'object', properties: { expiresAt: { type: 'string', format: 'date-time' } } };

const ID = '[0-9a-f-]{36}';
const ROUTES: readonly [RegExp, 'auth' | 'resource' | 'wallet', string][] = [
  [/^\/auth$/, 'auth', '/'],
  [new RegExp(`^/auth/continue/${ID}$`), 'auth', '/continue/{id}'],
  [new RegExp(`^/auth/token/${ID}$`), 'auth', '/token/{id}'],
  [/^\/(incoming-payments|outgoing-payments|quotes|outgoing-payment-grant)$/, 'resource', '$&'],
  [new RegExp(`^/(incoming-payments|outgoing-payments|quotes)/${ID}$`), 'resource', '/$1/{id}'],
  [new RegExp(`^/incoming-payments/${ID}/complete$`), 'resource', '/incoming-payments/{id}/complete'],
  [/^\/[a-z0-9-]+$/, 'wallet', '/'],
  [/^\/[a-z0-9-]+\/(jwks|did)\.json$/, 'wallet', '/$1.json'],
];

/** What newer documents than those in the official client do not describe any more (protocol-notes.md#PN-39). */
const GONE = { server: 'wallet', path: '/did.json' } as const;

/** Which version of Open Payments the documents in the official client have. The client itself drops it. */
export const bundledVersions = (): (string | undefined)[] =>
  ['auth-server', 'resource-server', 'wallet-address-server'].map((name) => {
    const file = new URL(`openapi/specs/${name}.yaml`, import.meta.resolve('@interledger/open-payments'));
    return /^ {2}version: '?([\d.]+)'?$/m.exec(readFileSync(file, 'utf8'))?.[1];
  });

/** Checks answers against the OpenAPI documents of the official client, more strictly than that client does. */
export class OfficialDocuments {
  readonly #origin: string;
  readonly #paths: Record<'auth' | 'resource' | 'wallet', Paths>;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #validators = new Map<object, ValidateFunction>();
  /** The operations and statuses that it has checked, such as `POST /quotes 201`. */
  readonly seen = new Set<string>();

  private constructor(origin: string, paths: Record<'auth' | 'resource' | 'wallet', Paths>) {
    this.#origin = origin;
    this.#paths = paths;
    addFormats.default(this.#ajv);
    this.#ajv.addFormat('uint64', (text: string) => parseUint64(text) !== undefined);
  }

  /** @param origin the node's public URL */
  static async load(origin: string): Promise<OfficialDocuments> {
    const [auth, resource, wallet] = await Promise.all([
      getAuthServerOpenAPI(),
      getResourceServerOpenAPI(),
      getWalletAddressServerOpenAPI(),
    ]);
    const paths = { auth: auth.paths as Paths, resource: resource.paths as Paths, wallet: wallet.paths as Paths };
    const { [GONE.path]: gone, ...described } = paths[GONE.server];
    if (gone === undefined) throw new Error('the documents in the client have changed: see protocol-notes.md#PN-39');
    return new OfficialDocuments(origin, { ...paths, [GONE.server]: described });
  }

  /** Every successful answer that the documents know, in the form of {@link seen}. */
  get successes(): string[] {
    return Object.entries(this.#paths).flatMap(([server, paths]) =>
      Object.entries(paths).flatMap(([path, operations]) =>
        Object.entries(operations ?? {}).flatMap(([method, operation]) =>
          Object.keys(operation?.responses ?? {})
            .filter((status) => status.startsWith('2'))
            .map((status) => nameOf(server, method, path, Number(status))),
        ),
      ),
    );
  }

  /** Lists what in an answer contradicts the documents. The list is empty when the answer conforms. */
  problems({ method, url, status, headers, text }: ObservedAnswer): string[] {
    const { pathname } = new URL(url);
    const route = url.startsWith(`${this.#origin}/`) ? ROUTES.find(([pattern]) => pattern.test(pathname)) : undefined;
    if (route === undefined) return [`${method} ${pathname} is in no document`];
    const [pattern, server, template] = route;
    const path = pathname.replace(pattern, template);
    const name = nameOf(server, method, path, status);
    this.seen.add(name);
    const responses = this.#paths[server][path]?.[method.toLowerCase()]?.responses;
    if (responses === undefined && status !== 404) return [`${name}: no such operation`];
    const documented = responses?.[String(status)];
    const problems = status >= 400 ? refusalProblems(status, headers, this.#origin) : [];
    if (documented === undefined && !EXTENSIONS.has(status)) problems.push('the status is neither listed nor an extension');
    const schema = documented?.content?.['application/json']?.schema;
    const empty = documented !== undefined && schema === undefined && status < 300;
    if (empty && text !== '') problems.push('a body where there should be none');
    if (!empty) problems.push(...this.#bodyProblems(text, headers, [schema, status >= 400 ? ERROR : EXPIRY]));
    return problems.map((problem) => `${name}: ${problem}`);
  }

  #bodyProblems(text: string, headers: Headers, schemas: readonly (object | undefined)[]): string[] {
    const problems: string[] = [];
    if (!/^application\/json(;|$)/.test(headers.get('content-type') ?? '')) problems.push('it does not say that it is JSON');
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return [...problems, 'the body is not JSON'];
    }
    for (const schema of schemas) {
      if (schema === undefined) continue;
      const validate = this.#validators.get(schema) ?? this.#ajv.compile(schema);
      this.#validators.set(schema, validate);
      if (!validate(body)) problems.push(this.#ajv.errorsText(validate.errors));
    }
    return problems;
  }
}

const nameOf = (server: string, method: string, path: string, status: number): string =>
  `${server} ${method.toUpperCase()} ${path} ${status}`;

function refusalProblems(status: number, headers: Headers, origin: string): string[] {
  if (status !== 401) return [];
  return headers.get('www-authenticate') === `GNAP as_uri=${origin}/auth` ? [] : ['it does not say where to ask for a grant'];
}

/**
 * Watches what the official client sends to one origin over `fetch`.
 * @returns the answers so far, and the way to stop watching.
 */
export function observeFetch(origin: string): { answers: ObservedAnswer[]; stop: () => void } {
  const answers: ObservedAnswer[] = [];
  const plain = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const response = await plain(input, init);
    const { url, method } = new Request(input instanceof Request ? input.url : input, { method: init?.method ?? methodOf(input) });
    if (url.startsWith(`${origin}/`)) {
      const { status, headers } = response;
      answers.push({ method, url, status, headers, text: await response.clone().text() });
    }
    return response;
  };
  const stop = () => {
    globalThis.fetch = plain;
  };
  return { answers, stop };
}

const methodOf = (input: unknown): string => (input instanceof Request ? input.method : 'GET');
