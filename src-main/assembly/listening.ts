import { createServer } from 'node:net';
import { listenProblems } from '../../src-shared/words/terminal/starting.ts';
import { ReportedError } from '../platform/errors.ts';
import type { Listen } from '../platform/settings/config.ts';

/** The host and the port in the form that a URL contains. */
export const addressOf = ({ host, port }: Listen): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** The host and the port on which the listener of this URL listens. */
export function listenOf(url: string): Listen {
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
}

/**
 * The URL by which this computer reaches its own listener. When the listener listens on every address, the URL has the
 * loopback address.
 */
export function originOf({ host, port }: Listen, scheme: 'http' | 'https'): string {
  if (host === '0.0.0.0' || host === '::') return `${scheme}://127.0.0.1:${port}`;
  return `${scheme}://${addressOf({ host, port })}`;
}

/**
 * Determines the port on which the node listens. Call it before the node is built, because the node's URLs contain it.
 * @throws ReportedError when the node cannot listen there.
 */
export async function choosePort({ host, port }: Listen): Promise<Listen> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject);
      probe.listen(port, host, resolve);
    });
    const address = probe.address();
    if (address === null || typeof address === 'string') throw new Error('a TCP listener without a port');
    return { host, port: address.port };
  } catch (error) {
    throw listenError(error, { host, port });
  } finally {
    await new Promise((resolve) => probe.close(resolve));
  }
}

/**
 * Turns the error of a listener that could not be opened into a ReportedError, where the person who starts the node can
 * do something about it. It returns every other error as it is.
 */
export function listenError(error: unknown, { host, port }: Listen): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return new ReportedError(listenProblems.taken(host, port));
  if (code === 'EACCES') return new ReportedError(listenProblems.notAllowed(port));
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return new ReportedError(listenProblems.notHere(host));
  return error;
}
