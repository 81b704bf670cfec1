import { Agent, request as send } from 'node:http';
import { signRequest } from '../../src-main/access/http-signatures/http-signatures.testing.ts';
import type { ClientWallet } from './client-wallet.ts';

/** A request with its signature, which can be sent again exactly as it was. */
export interface PreparedRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

export interface Answer {
  status: number;
  text: string;
}

/** Signs like the official client, but lets tests repeat a request byte by byte and many times a second. */
export function prepare(client: ClientWallet, method: string, url: string, token: string, body?: unknown): PreparedRequest {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const created = Math.floor(Date.now() / 1_000);
  const key = { kid: client.keyId, privateKey: client.privateKey };
  return {
    method,
    url,
    body: text,
    headers: signRequest({ method, url, token, ...(text !== undefined && { body: text }) }, key, { created }),
  };
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** @throws the network's error when no answer comes. */
export function transmit({ method, url, headers, body }: PreparedRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = send(url, { method, headers, agent }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }));
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}
