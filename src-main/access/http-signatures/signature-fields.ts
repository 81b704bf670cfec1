import { type BareItem, type InnerList, isInnerList, serializeParameters } from 'structured-headers';
import { remembered } from '../../platform/remembered.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import type { Fields } from './fields.ts';
import { readDictionary, type StrictDictionary, strictBytes } from './strict-members.ts';

/** What a signature claims. Nothing of it is verified yet. */
interface Claim {
  components: readonly string[];
  /** Covered components and parameters as the signer wrote them, which is also their strict serialisation. */
  parameters: string;
  keyId: string;
  /** Seconds since the Unix epoch; so is `expires`. */
  created: number;
  expires: number | undefined;
  algorithm: string | undefined;
  nonce: string | undefined;
  tag: string | undefined;
}

/** One signature of a request and what it claims. */
export interface ClaimedSignature extends Readonly<Claim> {
  /** The 64 bytes of an Ed25519 signature. */
  readonly bytes: Buffer;
}

export type ClaimProblem = 'malformed_signature' | 'unsupported_component' | 'missing_key_id' | 'missing_created' | 'nonce_too_long';

/** Why the signatures of a request are not read at all. */
export type SignaturesProblem = 'missing_signature' | 'malformed_signature' | 'too_many_signatures';

/** What the official client writes into both fields of a request that it repeats. No field of a signature reads so. */
const NOT_SIGNED_AGAIN = 'undefined';
/** The official client repeats these by itself, and no others. */
const REPEATED = ['GET', 'DELETE'];

/** Whether the official client repeats a request that had to wait, without a signature (protocol-notes.md#PN-38). */
export const isUnsignedRepetition = (method: string, fields: Fields): boolean =>
  REPEATED.includes(method) && ['signature-input', 'signature'].every((name) => fields.get(name) === NOT_SIGNED_AGAIN);

/**
 * Every signature costs a look-up of its key and a verification. No known client sends more than two. A request with
 * more is refused: of the signatures that the node does not look at, a copy of the request could be made.
 */
const MAX_SIGNATURES = 4;
/** Each covered component costs a look at all fields. */
const MAX_COMPONENTS = 32;
/** The longest nonce, in characters. */
const MAX_NONCE = 128;

/** Reads the signatures of a request, whatever their labels. */
export function readSignatures(fields: Fields): Result<Result<ClaimedSignature, ClaimProblem>[], SignaturesProblem> {
  const inputField = fields.get('signature-input');
  const signatureField = fields.get('signature');
  if (inputField === undefined || signatureField === undefined) return refuse('missing_signature');
  const claims = readClaims(inputField);
  const signatures = readDictionary(signatureField);
  if (claims === undefined || signatures === undefined) return refuse('malformed_signature');
  const labels = [...claims.keys()].filter((label) => signatures.members.has(label));
  if (labels.length === 0) return refuse('missing_signature');
  if (labels.length > MAX_SIGNATURES) return refuse('too_many_signatures');
  return ok(
    labels.map((label) => {
      const bytes = strictBytes(signatures, label);
      const claim = bytes?.length === 64 ? claims.get(label) : undefined;
      if (claim === undefined || bytes === undefined) return refuse('malformed_signature');
      return claim.ok ? ok({ ...claim.value, bytes }) : claim;
    }),
  );
}

/**
 * Reads a `Signature-Input` field: each claim by its label. A busy client writes the same text into all requests of a
 * second.
 * @returns undefined for a field that is no dictionary.
 */
const readClaims = remembered((field: string): ReadonlyMap<string, Result<Readonly<Claim>, ClaimProblem>> | undefined => {
  const inputs = readDictionary(field);
  return inputs && new Map([...inputs.members.keys()].map((label) => [label, readClaim(inputs, label)]));
});

function readClaim(inputs: StrictDictionary, label: string): Result<Claim, ClaimProblem> {
  const input = inputs.members.get(label);
  if (input === undefined || !isInnerList(input)) return refuse('malformed_signature');
  const [items, given] = input;
  const components = readComponents(items);
  if (!components.ok) return components;
  const parameters = `(${components.value.map((name) => `"${name}"`).join(' ')})${serialized(given)}`;
  if (!inputs.written.has(`${label}=${parameters}`)) return refuse('malformed_signature');
  const claims = readParameters(given);
  return claims.ok ? ok({ components: components.value, parameters, ...claims.value }) : claims;
}

/** The names of the covered components, in the signer's order. */
function readComponents(items: InnerList[0]): Result<string[], ClaimProblem> {
  if (items.length > MAX_COMPONENTS) return refuse('malformed_signature');
  const components: string[] = [];
  for (const [name, parameters] of items) {
    if (typeof name !== 'string' || !COMPONENT.test(name)) return refuse('malformed_signature');
    // `;sf`, `;bs`, `;key`, `;req` and `;tr` mean another value under the same name.
    if (parameters.size > 0 || (name.startsWith('@') && !DERIVED.has(name))) return refuse('unsupported_component');
    if (components.includes(name)) return refuse('malformed_signature');
    components.push(name);
  }
  return ok(components);
}

/** What the parameters of a signature claim (RFC 9421 §2.3). */
function readParameters(given: InnerList[1]): Result<Omit<Claim, 'components' | 'parameters'>, ClaimProblem> {
  const { created, expires, keyid, alg, nonce, tag } = Object.fromEntries(given);
  if (created === undefined) return refuse('missing_created');
  if (keyid === undefined) return refuse('missing_key_id');
  if (!isInteger(created) || !isText(keyid) || !isOptional(expires, isInteger)) return refuse('malformed_signature');
  if (!isOptional(alg, isText) || !isOptional(nonce, isText) || !isOptional(tag, isText)) return refuse('malformed_signature');
  if (nonce !== undefined && nonce.length > MAX_NONCE) return refuse('nonce_too_long');
  return ok({ keyId: keyid, created, expires, algorithm: alg, nonce, tag });
}

/** A field name in lower case (RFC 9110 §5.6.2), or the name of a derived component. */
const COMPONENT = /^@?[a-z0-9!#$%&'*+.^_`|~-]+$/;
const DERIVED = new Set(['@method', '@target-uri', '@authority', '@scheme', '@path', '@query', '@request-target']);

const isInteger = (value: BareItem): value is number => typeof value === 'number' && Number.isInteger(value);
const isText = (value: BareItem): value is string => typeof value === 'string' && value !== '';

function isOptional<T extends BareItem>(value: BareItem | undefined, is: (value: BareItem) => value is T): value is T | undefined {
  return value === undefined || is(value);
}

/** @returns a text that no header can hold when a value has no serialisation. */
function serialized(parameters: Map<string, BareItem>): string {
  try {
    return serializeParameters(parameters);
  } catch {
    return '\n';
  }
}
