import type { FastifyRequest } from 'fastify';
import type { SignedRequest } from '../../access/http-signatures/http-signatures.ts';
import type { Authenticated, Authenticator } from '../../access/tokens/authenticate.ts';
import { networkOf } from '../../platform/outbound-http/targets.ts';
import type { PublicUrls } from '../../platform/public-address/public-urls.ts';
import { ApiProblem, mayComeAgain, SIGNATURE_WORDS } from './problems.ts';
import { signedBy } from './rate-limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The client that calls. {@link requireAuthentication} sets it. */
    authenticated: Authenticated | undefined;
    /** The bytes of the body as they came. It is undefined when there was no body. */
    rawBody: Buffer | undefined;
  }
}

/**
 * The request as its signature covers it. The URL is rebuilt for every own origin, never from Host or forwarded headers
 * (decisions.md#D-01).
 */
export function signedRequest(request: FastifyRequest, urls: PublicUrls): SignedRequest {
  const { method = '', url = '', rawHeaders } = request.raw;
  // A request line may hold the whole URL instead of the path (RFC 9112 §3.2.2).
  const targetUris = urls.origins.map((origin) => (url.startsWith(`${origin}/`) ? url : origin + url));
  return { method, targetUris, rawHeaders, body: request.rawBody, from: networkOf(request.ip) };
}

/**
 * A `preValidation` hook for resource routes: it finds out which client calls before the body is parsed, and sets
 * `request.authenticated`.
 * @throws ApiProblem 401 unless the token and the signature are valid, 429 when the client sends too many requests,
 * 503 when it may come again ({@link mayComeAgain}).
 */
export function requireAuthentication(authenticator: Authenticator, urls: PublicUrls) {
  return async (request: FastifyRequest): Promise<void> => {
    const { authorization } = request.headers;
    const outcome = await authenticator.authenticate({ ...signedRequest(request, urls), authorization });
    if (outcome.ok) {
      await signedBy(request, outcome.value.client);
      request.authenticated = outcome.value;
      return;
    }
    if (outcome.error.code !== 'invalid_signature') throw new ApiProblem(outcome.error.code);
    const { problem } = outcome.error;
    if (mayComeAgain(problem)) throw new ApiProblem('busy');
    throw new ApiProblem('invalid_signature', { words: `Signature validation error: ${SIGNATURE_WORDS[problem]}` });
  };
}

/** The client that calls, for the handler of a route with {@link requireAuthentication}. */
export function callerOf(request: FastifyRequest): Authenticated {
  if (request.authenticated === undefined) throw new Error('a route that needs a caller does not authenticate');
  return request.authenticated;
}
