import type { Core } from '../../platform/core.ts';
import { type Result, refuse } from '../../platform/result.ts';
import type { CheckSignature } from '../http-signatures/checking.ts';
import { type SignatureProblem, type SignedRequest, type VerifiedRequest, verifySignature } from '../http-signatures/http-signatures.ts';
import type { Client, ClientKeys } from './clients.ts';
import { MAX_AGE_SECONDS, nonceMarks, rememberNonces } from './repetitions.ts';

/** How far in the future `created` may be, for clients whose clock is ahead. */
const MAX_SKEW_SECONDS = 60;

export type GateProblem = SignatureProblem | 'nonce_used';

interface Parts extends Pick<Core, 'database' | 'clock'> {
  keys: ClientKeys;
  check?: CheckSignature | undefined;
}

/** Accepts a request that one of its client's keys has signed. It accepts a signature with a nonce one time only. */
export class SignatureGate {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async verify(request: SignedRequest, client: Client): Promise<Result<VerifiedRequest, GateProblem>> {
    const policy = { now: this.#parts.clock.now(), maxAgeSeconds: MAX_AGE_SECONDS, maxSkewSeconds: MAX_SKEW_SECONDS };
    const verified = await verifySignature(
      request,
      policy,
      (keyId) => this.#parts.keys.find(client, keyId, request.from),
      this.#parts.check,
    );
    if (!verified.ok) return verified;
    const nonces = nonceMarks(verified.value);
    if (nonces.length === 0) return verified;
    return (await this.#parts.database.write((tx) => rememberNonces(tx, nonces))) ? verified : refuse('nonce_used');
  }
}
