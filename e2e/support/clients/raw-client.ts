import { Agent, request as send } from 'node:http';
import {
  type RequestToSign,
  type SigningOptions,
  signRequest,
  type TestKey,
} from '../../../src-main/access/http-signatures/testing/signed-requests.ts';
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
  headers: Headers;
  text: string;
}

/** Signs like the official client, but lets tests repeat a request byte by byte and many times a second. */
export function prepare(client: ClientWallet, method: string, url: string, token: string, body?: unknown): PreparedRequest {
  return prepareAs(signerOf(client), signable(method, url, token, body));
}

function signable(method: string, url: string, token: string, body: unknown): Signable {
  return { method, url, token, ...(body !== undefined && { body: JSON.stringify(body) }) };
}

/**
 * Signs exactly as the official client. The same request of the same second gets the same signature, so what makes
 * something needs a body of its own each time.
 */
export const prepareLikeTheSdk = (client: ClientWallet, method: string, url: string, token: string, body?: unknown): PreparedRequest =>
  prepareAs(signerOf(client), signable(method, url, token, body), { moreParameters: '' });

/** A request before it is signed. */
export type Signable = RequestToSign & { body?: string };

export type Signer = Pick<TestKey, 'kid' | 'privateKey'>;

export const signerOf = ({ keyId, privateKey }: ClientWallet): Signer => ({ kid: keyId, privateKey });

let prepared = 0;

/** Signs a request in any shape. `created` is now unless the caller gives another time. */
export function prepareAs(signer: Signer, request: Signable, options: Partial<SigningOptions> = {}): PreparedRequest {
  const { method, url, body } = request;
  // A request that is prepared twice gets two signatures, as if a second had passed. A copy has the same headers.
  const moreParameters = `;n=${prepared++}`;
  return { method, url, body, headers: signRequest(request, signer, { created: nowInSeconds(), moreParameters, ...options }) };
}

export const nowInSeconds = (): number => Math.floor(Date.now() / 1_000);

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/**
 * Closes the connections of {@link transmit}, when nothing is under way. A node closes one that has been idle for some
 * seconds, and a busy test may not notice that before it sends the next request.
 */
export const hangUp = (): void => agent.destroy();

/** Sends a signed request. @throws the network's error when no answer comes. */
export function transmit({ method, url, headers, body }: PreparedRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = send(url, { method, headers, agent }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const headers = new Headers(Object.entries(response.headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')]));
        resolve({ status: response.statusCode ?? 0, headers, text: Buffer.concat(parts).toString() });
      });
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}
