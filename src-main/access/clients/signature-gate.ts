import type { Core } from '../../platform/core.ts';
import { RateLimiter } from '../../platform/limits/rate-limiter.ts';
import { type Result, refuse } from '../../platform/result.ts';
import type { CheckSignature } from '../http-signatures/checking.ts';
import { type SignatureProblem, type SignedRequest, type VerifiedRequest, verifySignature } from '../http-signatures/http-signatures.ts';
import type { ClientClocks } from './client-clocks.ts';
import type { Client, ClientKeys } from './clients.ts';
import { MAX_AGE_SECONDS, nonceMarks, rememberNonces, touchedByMarks } from './repetitions.ts';

/** How far in the future `created` may be, for clients whose clock is ahead. */
const MAX_SKEW_SECONDS = 60;

/** How often a request is verified whose time is wrong, only to hear its client's clock. */
const WRONG_TIMES = { perSecond: 1, burst: 5 };

export type GateProblem = SignatureProblem | 'nonce_used';

interface Parts extends Pick<Core, 'database' | 'clock'> {
  keys: ClientKeys;
  check?: CheckSignature | undefined;
  /** What learns the clocks of clients. It is absent where nobody wants to hear them. */
  clocks?: ClientClocks | undefined;
}

/** Accepts a request that one of its client's keys has signed. It accepts a signature with a nonce one time only. */
export class SignatureGate {
  readonly #parts: Parts;
  readonly #wrongTimes: RateLimiter;
  readonly #hearing = new Set<Promise<void>>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#wrongTimes = new RateLimiter(WRONG_TIMES, parts.clock);
  }

  async verify(request: SignedRequest, client: Client): Promise<Result<VerifiedRequest, GateProblem>> {
    const verified = await this.#verify(request, client, MAX_AGE_SECONDS, MAX_SKEW_SECONDS);
    this.#hear(request, client, verified);
    if (!verified.ok) return verified;
    const nonces = nonceMarks(verified.value);
    if (nonces.length === 0) return verified;
    const areNew = await this.#parts.database.write((tx) => rememberNonces(tx, nonces), touchedByMarks(nonces));
    return areNew ? verified : refuse('nonce_used');
  }

  async #verify(request: SignedRequest, client: Client, maxAgeSeconds: number, maxSkewSeconds: number) {
    const { clock, keys, check } = this.#parts;
    const policy = { now: clock.now(), maxAgeSeconds, maxSkewSeconds };
    return await verifySignature(request, policy, (keyId) => keys.find(client, keyId, request.from), check);
  }

  /** Resolves when no clock is being heard any more. Only tests wait for that. */
  async clocksHeard(): Promise<void> {
    await Promise.all(this.#hearing);
  }

  /**
   * Hears the client's clock now and then. A client whose clock differs from this computer's signs well, at a wrong
   * time: what it asks for stays refused. Nobody waits for that, so the time of a refusal does not tell whether the
   * node knows the client, and what goes wrong with it harms nobody.
   */
  #hear(request: SignedRequest, client: Client, outcome: Result<VerifiedRequest, SignatureProblem>): void {
    const { clocks } = this.#parts;
    const isWrongTime = !outcome.ok && (outcome.error === 'stale' || outcome.error === 'future');
    if (clocks === undefined || !(outcome.ok || (isWrongTime && this.#wrongTimes.take('node') === 0))) return;
    const hearing = this.#hearWith(clocks, request, client, outcome)
      .catch(() => undefined)
      .finally(() => this.#hearing.delete(hearing));
    this.#hearing.add(hearing);
  }

  async #hearWith(
    clocks: ClientClocks,
    request: SignedRequest,
    client: Client,
    outcome: Result<VerifiedRequest, SignatureProblem>,
  ): Promise<void> {
    if (!(await clocks.wants(client))) return;
    const signed = outcome.ok ? outcome : await this.#verify(request, client, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
    if (signed.ok) clocks.signed(client, Math.max(...signed.value.signatures.map(({ created }) => created)));
  }
}
