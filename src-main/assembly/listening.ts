import { listenProblems } from '../../src-shared/words/terminal/starting.ts';
import { ReportedError } from '../platform/errors.ts';
import { HeldPort } from '../platform/public-address/held-port.ts';
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

/** The address at which the node is to listen, and what keeps the port for it until then. */
interface ChosenPort {
  listen: Listen;
  port: HeldPort;
}

/**
 * Determines the port on which the node listens. Call it before the node is built, because the node's URLs contain it.
 * A port that the system chose stays with this process. Another program can no longer take it. A port that the operator
 * chose is free again until the node listens, so that others are told that nobody is there yet.
 * @throws ReportedError when the node cannot listen there.
 */
export async function choosePort(wanted: Listen): Promise<ChosenPort> {
  const port = await HeldPort.hold(wanted).catch((error: unknown) => {
    throw listenError(error, wanted);
  });
  const listen = { host: wanted.host, port: port.number };
  if (wanted.port !== 0) await port.release();
  return { listen, port };
}

/**
 * Turns the error of a listener that could not be opened into a ReportedError, where the person who starts the node can
 * do something about it. It returns every other error as it is.
 */
export function listenError(error: unknown, { host, port }: Listen): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return new ReportedError(listenProblems.taken({ host, port }));
  if (code === 'EACCES') return new ReportedError(listenProblems.notAllowed({ port }));
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return new ReportedError(listenProblems.notHere({ host }));
  return error;
}
