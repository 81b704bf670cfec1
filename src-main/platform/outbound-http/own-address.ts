import { lookup } from 'node:dns/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect as connectTcp, isIP, type LookupFunction } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { isPublicAddress } from './addresses.ts';

/**
 * Looks at the node from where it says it is: the one way past the guarded rules, and only to the node's own public URL, which its operator has set. What is
 * looked up first is what all later steps connect to, so that no second look-up can answer otherwise.
 */

const TIMEOUT_MS = 5_000;
const MAX_BODY = 64 * 1024;

/** Every address of a host; none when it has none, or cannot be looked up in time. */
export async function addressesOf(hostname: string): Promise<string[]> {
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0) return [literal];
  const late = Promise.withResolvers<[]>();
  const timer = setTimeout(() => late.resolve([]), TIMEOUT_MS);
  try {
    const found = await Promise.race([lookup(literal, { all: true }), late.promise]);
    return found.map(({ address }) => address);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}

/** Whether everybody on the internet can use this address, or only one's own network. */
export const isForEverybody = isPublicAddress;

/** Whether somebody listens there; with the reason as a system code, such as `ECONNREFUSED`, when not. */
export function portAnswers(address: string, port: number): Promise<{ open: true } | { open: false; code: string }> {
  return new Promise((resolve) => {
    const socket = connectTcp({ host: address, port, timeout: TIMEOUT_MS });
    const end = (answer: { open: true } | { open: false; code: string }) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => end({ open: true }));
    socket.once('timeout', () => end({ open: false, code: 'ETIMEDOUT' }));
    socket.once('error', (error: NodeJS.ErrnoException) => end({ open: false, code: error.code ?? 'unknown' }));
  });
}

export interface ShownCertificate {
  /** Why a stranger's program refuses it, as OpenSSL's code; undefined when it is trusted. */
  refusal: string | undefined;
  /** Milliseconds since the Unix epoch. */
  endsAt: number;
}

/** The certificate a stranger is shown; undefined when no encrypted connection comes about. */
export function certificateAt(address: string, port: number, hostname: string): Promise<ShownCertificate | undefined> {
  return new Promise((resolve) => {
    // Refusing here would hide what is wrong with it; nothing is sent on this connection.
    const name = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { servername: hostname } : {};
    const socket = connectTls({ host: address, port, ...name, rejectUnauthorized: false, timeout: TIMEOUT_MS });
    const end = (answer: ShownCertificate | undefined) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('secureConnect', () => {
      const { valid_to } = socket.getPeerCertificate();
      const refusal = socket.authorized ? undefined : codeOf(socket.authorizationError);
      end({ refusal, endsAt: Date.parse(valid_to) });
    });
    socket.once('timeout', () => end(undefined));
    socket.once('error', () => end(undefined));
  });
}

const codeOf = (error: unknown): string => {
  if (error instanceof Error && 'code' in error) return String(error.code);
  return String(error);
};

export interface SelfAnswer {
  status: number;
  /** When it was sent, by the clock of whoever sent it; milliseconds since the Unix epoch. */
  date: number | undefined;
  /** Parsed JSON; undefined when there is none. */
  body: unknown;
}

interface SelfRequest {
  method: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/** Asks the node by its public URL, at one of the addresses that were looked up. Undefined when there is no answer; redirects are not followed. */
export function askOwn(url: string, address: string, { method, headers = {}, body }: SelfRequest): Promise<SelfAnswer | undefined> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const fixed: LookupFunction = (_hostname, options, done) => {
    const family = isIP(address);
    if (options.all) done(null, [{ address, family }]);
    else done(null, address, family);
  };
  return new Promise((resolve) => {
    const send = url.startsWith('https:') ? httpsRequest : httpRequest;
    const request = send(url, { method, headers, agent: false, lookup: fixed, signal }, (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > MAX_BODY) response.destroy();
        else chunks.push(chunk);
      });
      response.on('error', () => resolve(undefined));
      response.on('close', () => resolve(undefined));
      response.on('end', () => {
        const date = Date.parse(response.headers.date ?? '');
        resolve({
          status: response.statusCode ?? 0,
          date: Number.isNaN(date) ? undefined : date,
          body: parsed(Buffer.concat(chunks).toString('utf8')),
        });
      });
    });
    request.on('error', () => resolve(undefined));
    request.end(body);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
