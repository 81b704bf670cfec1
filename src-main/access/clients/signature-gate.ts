import type { Core } from '../../platform/core.ts';
import { type Result, refuse } from '../../platform/result.ts';
import type { CheckSignature } from '../http-signatures/checking.ts';
import { type SignatureProblem, type SignedRequest, type VerifiedSignature, verifySignature } from '../http-signatures/http-signatures.ts';
import { signatureNonces } from '../tables.ts';
import type { Client, ClientKeys } from './clients.ts';

/** How long after `created` a signature is accepted (decisions.md#D-44). */
const MAX_AGE_SECONDS = 300;
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

  async verify(request: SignedRequest, client: Client): Promise<Result<VerifiedSignature, GateProblem>> {
    const policy = { now: this.#parts.clock.now(), maxAgeSeconds: MAX_AGE_SECONDS, maxSkewSeconds: MAX_SKEW_SECONDS };
    const verified = await verifySignature(
      request,
      policy,
      (keyId) => this.#parts.keys.find(client, keyId, request.from),
      this.#parts.check,
    );
    if (!verified.ok || verified.value.nonce === undefined) return verified;
    const { thumbprint, nonce, created } = verified.value;
    const expiresAt = (created + MAX_AGE_SECONDS + 1) * 1_000;
    const [taken] = await this.#parts.database.write((tx) =>
      tx.insert(signatureNonces).values({ thumbprint, nonce, expiresAt }).onConflictDoNothing().returning(),
    );
    return taken === undefined ? refuse('nonce_used') : verified;
  }
}
