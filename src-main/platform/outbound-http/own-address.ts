import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect as connectTcp, isIP, type LookupFunction } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { isPublicAddress } from './addresses.ts';
import { HostNames } from './names.ts';

/**
 * Connects to the node at its own public URL, which the operator has set. Nothing else may bypass the rules of
 * `GuardedHttp`. All steps connect to the address that was looked up first, so that no second look-up can answer
 * otherwise.
 */

const TIMEOUT_MS = 5_000;
const MAX_BODY = 64 * 1024;

/** @returns every address of a host. The list is empty when the host has none or cannot be looked up in time. */
export async function addressesOf(hostname: string): Promise<string[]> {
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0) return [literal];
  try {
    const found = await new HostNames().lookUp(literal, AbortSignal.timeout(TIMEOUT_MS));
    return found.map(({ address }) => address);
  } catch {
    return [];
  }
}

/** Tells whether everybody on the internet can use this address. If not, only the operator's own network can. */
export const isForEverybody = isPublicAddress;

/** Tells whether a program listens at the port. If not, `code` is the system's reason, such as `ECONNREFUSED`. */
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

interface ShownCertificate {
  /** The OpenSSL code with which other programs refuse the certificate. It is undefined when they trust it. */
  refusal: string | undefined;
  /** The end of the certificate, in milliseconds since the Unix epoch. */
  endsAt: number;
}

/** @returns the certificate that other programs get there, or undefined when no TLS connection can be made. */
export function certificateAt(address: string, port: number, hostname: string): Promise<ShownCertificate | undefined> {
  return new Promise((resolve) => {
    // Any certificate is accepted here, so that its fault can be reported. Nothing is sent on this connection.
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

interface SelfAnswer {
  status: number;
  /**
   * The time at which the answer was sent, by its sender's clock, in milliseconds since the Unix epoch. It is undefined
   * when not told.
   */
  date: number | undefined;
  /** The parsed JSON. It is undefined when the body is not JSON. */
  body: unknown;
}

interface SelfRequest {
  method: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/**
 * Sends a request to the node's public URL, at one of the addresses that were looked up. It follows no redirect.
 * @returns undefined when there is no answer.
 */
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
