import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../../platform/settings/config.ts';
import type { Site } from '../people/site.ts';
import { consoleHosts } from './console-gate.ts';

/** What a proxy adds to a request that it hands on. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'via'] as const;

/** The addresses at which the console answers: those of this computer, and its URL on the network when it has one. */
export class ConsoleSites {
  readonly port: number;
  /** The URL to which a console link leads. */
  readonly url: string;
  readonly #here: ReadonlySet<string>;
  readonly #remote: { readonly host: string; readonly site: Site } | undefined;

  /** @param consoleUrl an https origin that a declared proxy serves, or the node with its own certificate. */
  constructor({ host, port, url, consoleUrl }: { host: string; port: number; url: string; consoleUrl?: string | undefined }) {
    this.port = port;
    this.url = url;
    this.#here = port === 0 ? new Set() : consoleHosts(isLoopback(host) ? host : '127.0.0.1', port);
    this.#remote = consoleUrl === undefined ? undefined : { host: new URL(consoleUrl).host, site: { origin: consoleUrl, isRemote: true } };
  }

  /**
   * The site to which a request was sent. It is undefined for every other name, and for a request that cannot have come
   * to that name: unencrypted to the URL, or from elsewhere or by a proxy to this computer's own name.
   */
  of(request: FastifyRequest): Site | undefined {
    const { host } = request.headers;
    if (host === undefined) return undefined;
    // The protocol is that of the connection, or the word of a declared proxy. Nobody else's word counts.
    if (host === this.#remote?.host) return request.protocol === 'https' ? this.#remote.site : undefined;
    if (!this.#here.has(host)) return undefined;
    return this.#remote === undefined || isFromHere(request) ? { origin: `http://${host}`, isRemote: false } : undefined;
  }
}

/**
 * Tells whether the request comes from this computer. A proxy that does not hand the name on would otherwise make
 * strangers seem to sit here.
 */
function isFromHere({ raw, headers }: FastifyRequest): boolean {
  const address = (raw.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  return isLoopback(address) && FORWARDED.every((name) => headers[name] === undefined);
}
