import { ok, type Result, refuse } from '../../platform/result.ts';
import type { ClientKey } from '../client-keys/client-key.ts';
import { hasSmallOrder } from '../client-keys/ed25519-points.ts';
import { type CheckSignature, checkInPool } from './checking.ts';
import { digestMatches } from './content-digest.ts';
import { type Fields, readFields } from './fields.ts';
import { signatureBase } from './signature-base.ts';
import {
  type ClaimedSignature,
  type ClaimProblem,
  isUnsignedRepetition,
  readSignatures,
  type SignaturesProblem,
} from './signature-fields.ts';

/** A request as it came in. */
export interface SignedRequest {
  method: string;
  /** The URLs that the client may have signed: one for each own origin of the node. */
  targetUris: readonly string[];
  /** Node's `IncomingMessage.rawHeaders`. */
  rawHeaders: readonly string[];
  /** The bytes of the body as they came. They are undefined when nobody has read them, as with `GET`. */
  body: Buffer | undefined;
  /** The network from which the request came, in the form of `networkOf`. */
  from?: string;
}

/** The most by which `created` may differ from now. */
interface SignaturePolicy {
  /** The time, in milliseconds since the Unix epoch. */
  now: number;
  maxAgeSeconds: number;
  maxSkewSeconds: number;
}

/** The reason why there is no key: the client has no key with that id, or the node could not ask the client. */
export type KeyProblem = 'unknown_key' | 'key_unavailable' | 'key_busy';

export type SignatureProblem =
  | ClaimProblem
  | KeyProblem
  | SignaturesProblem
  | 'unsigned_repetition'
  | 'duplicate_header'
  | 'missing_component'
  | 'stale'
  | 'future'
  | 'expired'
  | 'invalid_tag'
  | 'algorithm_mismatch'
  | 'digest_mismatch'
  | 'length_mismatch'
  | 'key_id_mismatch'
  | 'invalid_signature';

export interface VerifiedSignature {
  keyId: string;
  /** RFC 7638 thumbprint of the key that signed. */
  thumbprint: string;
  /** The 64 bytes of the signature. Together with the thumbprint they identify this request. */
  signature: Buffer;
  /** The time of the signature, in seconds since the Unix epoch. */
  created: number;
  /** The nonce. The caller refuses one that it has seen before. */
  nonce: string | undefined;
}

/** A request that its client has signed. */
export interface VerifiedRequest {
  /** Every signature that meets every rule. There is at least one. */
  signatures: readonly VerifiedSignature[];
  /** The one of the node's own URLs that the client has signed. */
  targetUri: string;
}

/**
 * A signature with one of these problems may meet every rule later. A copy of the request that has only this signature
 * would then count as another request, so the node refuses the request whatever its other signatures are.
 */
const MAY_COUNT_LATER: readonly SignatureProblem[] = ['future', 'key_unavailable', 'key_busy'];

/**
 * Verifies that a client has signed a request (RFC 9421, with the narrower rules of decisions.md#D-44).
 *
 * It tries all signatures one after the other, whatever their labels. One that meets every rule is enough, and the
 * answer names each that does. When none does, it returns the problem of the first one. Nothing that a client sends
 * makes it throw.
 */
export async function verifySignature(
  request: SignedRequest,
  policy: SignaturePolicy,
  findKey: (keyId: string) => Promise<Result<ClientKey, KeyProblem>>,
  check: CheckSignature = checkInPool,
): Promise<Result<VerifiedRequest, SignatureProblem>> {
  const fields = readFields(request.rawHeaders);
  if (fields === undefined) return refuse('duplicate_header');
  if (isUnsignedRepetition(request.method, fields)) return refuse('unsigned_repetition');
  const claims = readSignatures(fields);
  if (!claims.ok) return claims;
  const verified: VerifiedClaim[] = [];
  const problems: SignatureProblem[] = [];
  for (const claim of claims.value) {
    const outcome = claim.ok ? await verifyClaim(claim.value, request, fields, policy, findKey, check) : claim;
    if (outcome.ok) verified.push(outcome.value);
    else problems.push(outcome.error);
  }
  const [first] = verified;
  if (first === undefined) return refuse(problems[0] ?? 'missing_signature');
  const later = problems.find((problem) => MAY_COUNT_LATER.includes(problem));
  if (later !== undefined) return refuse(later);
  return ok({ signatures: verified.map(({ signature }) => signature), targetUri: first.targetUri });
}

interface VerifiedClaim {
  signature: VerifiedSignature;
  targetUri: string;
}

async function verifyClaim(
  claim: ClaimedSignature,
  request: SignedRequest,
  fields: Fields,
  policy: SignaturePolicy,
  findKey: (keyId: string) => Promise<Result<ClientKey, KeyProblem>>,
  check: CheckSignature,
): Promise<Result<VerifiedClaim, SignatureProblem>> {
  const problem = coverageProblem(claim, request.body, fields) ?? timeProblem(claim, policy) ?? contentProblem(claim, request.body, fields);
  if (problem !== undefined) return refuse(problem);
  if (claim.tag !== undefined && claim.tag !== 'gnap') return refuse('invalid_tag');
  if (claim.algorithm !== undefined && claim.algorithm !== 'ed25519') return refuse('algorithm_mismatch');
  const key = await findKey(claim.keyId);
  if (!key.ok) return key;
  if (key.value.kid !== claim.keyId) return refuse('key_id_mismatch');
  for (const targetUri of request.targetUris) {
    const base = signatureBase(claim.components, claim.parameters, { method: request.method, targetUri, fields });
    if (base === undefined) return refuse('missing_component');
    // Every crypto library refuses S ≥ L and an R that is not canonical (RFC 8032 §5.1.7). Not every library refuses
    // an R of small order.
    if (!hasSmallOrder(claim.bytes) && (await check(base, key.value, claim.bytes))) {
      const { keyId, bytes, created, nonce } = claim;
      return ok({ signature: { keyId, thumbprint: key.value.thumbprint, signature: bytes, created, nonce }, targetUri });
    }
  }
  return refuse('invalid_signature');
}

/** A stranger who has seen a signature can change everything that it does not cover. */
function coverageProblem({ components }: ClaimedSignature, body: Buffer | undefined, fields: Fields): SignatureProblem | undefined {
  const isComplete =
    components.includes('@method') &&
    components.includes('@target-uri') &&
    (!fields.has('authorization') || components.includes('authorization')) &&
    (!hasContent(body, fields) || components.includes('content-digest'));
  return isComplete ? undefined : 'missing_component';
}

function timeProblem({ created, expires }: ClaimedSignature, policy: SignaturePolicy): SignatureProblem | undefined {
  const age = policy.now - created * 1_000;
  if (age > policy.maxAgeSeconds * 1_000) return 'stale';
  if (age < -policy.maxSkewSeconds * 1_000) return 'future';
  return expires !== undefined && policy.now >= expires * 1_000 ? 'expired' : undefined;
}

function contentProblem({ components }: ClaimedSignature, body: Buffer | undefined, fields: Fields): SignatureProblem | undefined {
  const content = body ?? NOTHING;
  if (components.includes('content-digest')) {
    const digest = fields.get('content-digest');
    if (digest === undefined) return 'missing_component';
    if (!digestMatches(digest, content)) return 'digest_mismatch';
  }
  if (components.includes('content-length')) {
    const length = fields.get('content-length');
    if (length === undefined) return 'missing_component';
    if (length !== String(content.length)) return 'length_mismatch';
  }
  return undefined;
}

const NOTHING = Buffer.alloc(0);

/** Content that nobody has read is known by the fields that announce it (RFC 9112 §6). */
const hasContent = (body: Buffer | undefined, fields: Fields): boolean =>
  body === undefined ? fields.has('transfer-encoding') || (fields.get('content-length') ?? '0') !== '0' : body.length > 0;
