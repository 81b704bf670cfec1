import type { FastifyRequest } from 'fastify';
import type { SignedRequest } from '../../access/http-signatures/http-signatures.ts';
import type { Authenticated, Authenticator } from '../../access/tokens/authenticate.ts';
import type { PublicUrls } from '../../platform/public-address/public-urls.ts';
import { ApiProblem, SIGNATURE_WORDS } from './problems.ts';
import { signedBy } from './rate-limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; set by {@link requireAuthentication}. */
    authenticated: Authenticated | undefined;
    /** The body's bytes as they came; undefined when there was none. */
    rawBody: Buffer | undefined;
  }
}

/** The request as its signature covers it: rebuilt for every own origin, never from Host or forwarded headers. */
export function signedRequest(request: FastifyRequest, urls: PublicUrls): SignedRequest {
  const { method = '', url = '', rawHeaders } = request.raw;
  // A request may name the whole URL instead of the path (RFC 9112 §3.2.2).
  const targetUris = urls.origins.map((origin) => (url.startsWith(`${origin}/`) ? url : origin + url));
  return { method, targetUris, rawHeaders, body: request.rawBody };
}

/**
 * A `preValidation` hook for resource routes: who calls is known before the body is parsed. Sets `request.authenticated`.
 * @throws ApiProblem (401) for everything else than a valid token with a valid signature, 429 for more than the client may.
 */
export function requireAuthentication(authenticator: Authenticator, urls: PublicUrls) {
  return async (request: FastifyRequest): Promise<void> => {
    const { authorization } = request.headers;
    const outcome = await authenticator.authenticate({ ...signedRequest(request, urls), authorization });
    if (outcome.ok) {
      signedBy(request, outcome.value.client);
      request.authenticated = outcome.value;
      return;
    }
    if (outcome.error.code !== 'invalid_signature') throw new ApiProblem(outcome.error.code);
    throw new ApiProblem('invalid_signature', { words: `Signature validation error: ${SIGNATURE_WORDS[outcome.error.problem]}` });
  };
}

/** Who calls, in the handler of a route with {@link requireAuthentication}. */
export function callerOf(request: FastifyRequest): Authenticated {
  if (request.authenticated === undefined) throw new Error('a route that needs a caller does not authenticate');
  return request.authenticated;
}
