import { lt } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { type Result, refuse } from '../../platform/result.ts';
import type { CheckSignature } from '../http-signatures/checking.ts';
import { type SignatureProblem, type SignedRequest, type VerifiedSignature, verifySignature } from '../http-signatures/http-signatures.ts';
import { signatureNonces } from '../tables.ts';
import type { Client, ClientKeys } from './clients.ts';

export interface SignatureSettings {
  /** How long after `created` a signature is taken, in seconds. */
  maxAgeSeconds: number;
  /** How far in the future `created` may be, in seconds. */
  maxSkewSeconds: number;
}

/** decisions, "signatures" */
export const DEFAULT_SIGNATURE_SETTINGS: SignatureSettings = { maxAgeSeconds: 300, maxSkewSeconds: 60 };

export type GateProblem = SignatureProblem | 'nonce_used';

/** Lets a request through that one of its client's keys has signed, once if the signature carries a nonce. */
export class SignatureGate {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #keys: ClientKeys;
  readonly #settings: SignatureSettings;
  readonly #check: CheckSignature | undefined;

  constructor(parts: {
    database: Database;
    clock: Clock;
    keys: ClientKeys;
    settings?: SignatureSettings;
    check?: CheckSignature | undefined;
  }) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#keys = parts.keys;
    this.#settings = parts.settings ?? DEFAULT_SIGNATURE_SETTINGS;
    this.#check = parts.check;
  }

  async verify(request: SignedRequest, client: Client): Promise<Result<VerifiedSignature, GateProblem>> {
    const policy = { now: this.#clock.now(), ...this.#settings };
    const verified = await verifySignature(request, policy, (keyId) => this.#keys.find(client, keyId), this.#check);
    if (!verified.ok || verified.value.nonce === undefined) return verified;
    const { thumbprint, nonce, created } = verified.value;
    const expiresAt = (created + this.#settings.maxAgeSeconds + 1) * 1_000;
    const [taken] = await this.#database.write((tx) =>
      tx.insert(signatureNonces).values({ thumbprint, nonce, expiresAt }).onConflictDoNothing().returning(),
    );
    return taken === undefined ? refuse('nonce_used') : verified;
  }

  /** Forgets nonces whose signatures are too old to be taken anyway. */
  async sweep(): Promise<void> {
    const old = lt(signatureNonces.expiresAt, this.#clock.now());
    const [first] = await this.#database.read.select().from(signatureNonces).where(old).limit(1);
    if (first !== undefined) await this.#database.write((tx) => tx.delete(signatureNonces).where(old));
  }
}
