import { signRequest } from '../../../src-main/access/http-signatures/testing/signed-requests.ts';
import { nowInSeconds, type Signer } from '../clients/raw-client.ts';
import { Dice } from '../seeded.ts';
import { BODIES, garbled, mutated, type Scene } from './bodies.ts';

/** Those who sign requests, and their tokens. */
export interface Cast {
  client: Signer;
  stranger: Signer;
  /** A key that belongs to nobody. */
  imposter: Signer;
  receiving: string;
  spending: string;
  foreign: string;
  /** The grants that requests may rotate, revoke and cancel. */
  issued: { manage: string; value: string; continueUri: string; continueToken: string }[];
}

/** The proof by which a request says who sends it. The node must refuse every proof but the first. */
const PROOFS = ['right', 'unsigned', 'without a token', 'by another key', 'tampered with', 'stale', 'by a stranger'] as const;
type Proof = (typeof PROOFS)[number];

export interface FuzzCase {
  endpoint: string;
  method: string;
  /** Path and query as they go over the wire. */
  target: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
  proof: Proof;
  /** Whether anything but a refusal is wrong. */
  mustFail: boolean;
}

interface Endpoint {
  method: string;
  url: (dice: Dice, scene: Scene, cast: Cast) => string;
  body?: (dice: Dice, scene: Scene) => object;
  /** Draws the token. It is undefined for a public endpoint, and null when there is no token yet. */
  token?: ((dice: Dice, cast: Cast) => string) | null;
  /** How often it is called, compared with the others. */
  weight: number;
}

const anyIncoming = (dice: Dice, scene: Scene): string => dice.pick(dice.chance(0.8) ? scene.incoming : scene.foreignIncoming);
const listQuery = (dice: Dice, walletAddress: string, cursors: readonly string[]): string => {
  const query = new URLSearchParams();
  if (dice.chance(0.9)) query.append('wallet-address', dice.chance(0.9) ? walletAddress : dice.pick(['x', `${walletAddress}/`, '']));
  if (dice.chance(0.5))
    query.append('first', dice.pick(['1', '20', '100', '101', '0', '-1', '1e1', '0x10', '01', '', 'NaN', '9'.repeat(30), ' 5', '5.0']));
  if (dice.chance(0.3)) query.append('last', dice.pick(['1', '20', '100', 'x']));
  if (dice.chance(0.4))
    query.append('cursor', dice.pick([cursors.at(-1)?.split('/').at(-1) ?? '', dice.uuid(), '', '\u0000', 'c'.repeat(65)]));
  if (dice.chance(0.05)) query.append('wallet-address', walletAddress);
  if (dice.chance(0.05)) query.append(dice.pick(['__proto__', 'constructor[prototype]', 'a[]', '%']), '1');
  return query.size > 0 ? `?${query}` : '';
};
const receiving = (_: Dice, cast: Cast): string => cast.receiving;
const spending = (_: Dice, cast: Cast): string => cast.spending;

const ENDPOINTS: Record<string, Endpoint> = {
  'create incoming': {
    method: 'POST',
    url: (_, { publicUrl }) => `${publicUrl}/incoming-payments`,
    body: BODIES.incomingPayment,
    token: receiving,
    weight: 5,
  },
  'list incoming': {
    method: 'GET',
    url: (dice, scene) => `${scene.publicUrl}/incoming-payments${listQuery(dice, scene.shop, scene.incoming)}`,
    token: receiving,
    weight: 3,
  },
  'read incoming': { method: 'GET', url: anyIncoming, token: receiving, weight: 3 },
  'complete incoming': { method: 'POST', url: (dice, scene) => `${anyIncoming(dice, scene)}/complete`, token: receiving, weight: 1 },
  'create quote': { method: 'POST', url: (_, { publicUrl }) => `${publicUrl}/quotes`, body: BODIES.quote, token: spending, weight: 4 },
  'read quote': { method: 'GET', url: (dice, { quotes }) => dice.pick(quotes), token: spending, weight: 1 },
  'pay a quote': {
    method: 'POST',
    url: (_, { publicUrl }) => `${publicUrl}/outgoing-payments`,
    body: BODIES.quotedPayment,
    token: spending,
    weight: 3,
  },
  'pay directly': {
    method: 'POST',
    url: (_, { publicUrl }) => `${publicUrl}/outgoing-payments`,
    body: BODIES.directPayment,
    token: spending,
    weight: 4,
  },
  'list outgoing': {
    method: 'GET',
    url: (dice, scene) => `${scene.publicUrl}/outgoing-payments${listQuery(dice, scene.buyer, scene.outgoing)}`,
    token: spending,
    weight: 2,
  },
  'read outgoing': { method: 'GET', url: (dice, { outgoing }) => dice.pick(outgoing), token: spending, weight: 1 },
  'read budget': { method: 'GET', url: (_, { publicUrl }) => `${publicUrl}/outgoing-payment-grant`, token: spending, weight: 1 },
  'ask for a grant': { method: 'POST', url: (_, { publicUrl }) => `${publicUrl}/auth`, body: BODIES.grantRequest, token: null, weight: 4 },
  'continue a grant': {
    method: 'POST',
    url: (_, __, { issued }) => issued.at(-2)?.continueUri ?? '',
    body: BODIES.continuation,
    token: (_, { issued }) => issued.at(-2)?.continueToken ?? 'none',
    weight: 1,
  },
  'cancel a grant': {
    method: 'DELETE',
    url: (_, __, { issued }) => issued[0]?.continueUri ?? '',
    token: (_, { issued }) => issued[0]?.continueToken ?? 'none',
    weight: 0.3,
  },
  'rotate a token': {
    method: 'POST',
    url: (_, __, { issued }) => issued.at(-1)?.manage ?? '',
    token: (_, { issued }) => issued.at(-1)?.value ?? 'none',
    weight: 1,
  },
  'revoke a token': {
    method: 'DELETE',
    url: (_, __, { issued }) => issued.at(1)?.manage ?? '',
    token: (_, { issued }) => issued.at(1)?.value ?? 'none',
    weight: 0.3,
  },
  'read a wallet address': {
    method: 'GET',
    url: (dice, { shop, buyer }) => dice.pick([shop, buyer, `${shop}/jwks.json`, `${shop}/did.json`]),
    weight: 1,
  },
  'read what is public': {
    method: 'GET',
    url: (dice, { publicUrl }) => publicUrl + dice.pick(['/healthz', '/openapi.json', '/auth/discovery', '/']),
    weight: 0.5,
  },
  'open a page': {
    method: 'GET',
    url: (dice, { publicUrl }) => `${publicUrl}/auth/interact/${dice.uuid()}/${dice.pick(['x', 'x/state', '%00'])}`,
    weight: 0.3,
  },
};

const ODD_METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'SEARCH',
  'PURGE',
  'LOCK',
  'M-SEARCH',
  'QUERY',
];
const ODD_HEADERS: readonly (readonly [string, string])[] = [
  ['content-type', 'text/plain'],
  ['content-type', 'application/json; charset=utf-16'],
  ['content-type', 'application/jsonx'],
  ['content-type', 'multipart/form-data; boundary=x'],
  ['content-type', '\u00ff'],
  ['content-encoding', 'gzip'],
  ['accept', 'text/html;q=0.9, */*;q=0.1'],
  ['accept', `${'a/b,'.repeat(500)}*/*`],
  ['accept-encoding', 'br;q=NaN'],
  ['cookie', 'a=b; paydesk=1'],
  ['host', 'evil.example'],
  ['x-forwarded-for', '1.2.3.4'],
  ['x-forwarded-host', 'evil.example'],
  ['x-forwarded-proto', 'https'],
  ['x-http-method-override', 'DELETE'],
  ['if-none-match', '*'],
  ['if-modified-since', 'Sat, 30 Feb 2099 25:61:61 GMT'],
  ['range', 'bytes=0-1'],
  ['origin', 'null'],
  ['access-control-request-method', 'POST'],
  ['expect', '100-continue'],
  ['expect', 'the unexpected'],
  ['upgrade', 'websocket'],
  ['x-request-id', '\u00e9'.repeat(100)],
  ['x-long', 'h'.repeat(12_000)],
  ['x-long', 'h'.repeat(17_000)],
  ['digest', 'sha-256=x'],
  ['accept-signature', 'sig1=("@method")'],
  ['authorization', 'Basic dXNlcjpwYXNz'],
  ['signature-input', 'sig1=("@method" "@target-uri");created=1;keyid="x";alg="none"'],
  ['content-digest', 'sha-256=:AAAA:, sha-512=:AAAA:'],
];

function oddTarget(dice: Dice, target: string): string {
  return dice.pick<() => string>([
    () => `/${target}`,
    () => `${target}/`,
    () => target.replace('/', '/./'),
    () => `/x/..${target}`,
    () => target.replace(/\/[^/]*$/, `/${dice.uuid()}`),
    () => target.replace(/.$/, (last) => `%${last.charCodeAt(0).toString(16)}`),
    () => `${target}%2f`,
    () => `${target}%00`,
    () => `${target}%zz`,
    () => `${target}%c0%ae`,
    () => `${target}#fragment`,
    () => `${target};v=1`,
    () => `${target}?${'q=1&'.repeat(dice.below(600))}`,
    () => target.toUpperCase(),
    () => `${target.split('?')[0]}/${'p'.repeat(dice.below(4_000))}`,
    () =>
      dice.pick([
        '*',
        '/',
        '//',
        '/..',
        '/%',
        '/__proto__',
        '/constructor',
        '/auth/',
        '/auth/interact',
        '/.well-known/pay',
        '/operator/rpc',
        '/ilp',
      ]),
    () => `http://evil.example${target}`,
  ])();
}

const WEIGHTED: readonly string[] = Object.entries(ENDPOINTS).flatMap(([name, { weight }]) =>
  Array.from({ length: Math.ceil(weight * 10) }, () => name),
);
/** The share of requests with a valid proof. Most requests must reach the code behind the check. */
const RIGHT = 0.75;

/**
 * Makes the request number `index` of a seed. It names things by their places in `scene` and `cast`, so it depends on
 * what lies there at the time.
 */
export function fuzzCase(seed: number, index: number, scene: Scene, cast: Cast, only?: 'refused'): FuzzCase {
  const dice = new Dice(seed + Math.imul(index, 0x9e3779b1));
  const name = dice.pick(WEIGHTED);
  const endpoint = ENDPOINTS[name];
  if (endpoint === undefined) throw new Error('no such endpoint');
  const isProtected = endpoint.token !== undefined;
  const proof: Proof = only === undefined && (!isProtected || dice.chance(RIGHT)) ? 'right' : dice.pick(PROOFS.slice(1));
  const target = targetOf(dice, endpoint, scene, cast, proof);
  const method = proof === 'right' && dice.chance(0.04) ? dice.pick(ODD_METHODS) : endpoint.method;
  const body = bodyOf(dice, endpoint, scene);
  const request = { method, url: urlOf(target, scene.publicUrl), ...(body !== undefined && { body }) };
  const token = tokenFor(dice, endpoint, proof, cast);
  const headers = signRequest({ ...request, ...(token !== undefined && { token }) }, signerFor(endpoint, proof, cast), {
    created: nowInSeconds() - (proof === 'stale' ? 400 : 0),
  });
  const isPublicRead = name === 'read incoming' && proof === 'without a token';
  const mustFail = isProtected && proof !== 'right' && !isPublicRead;
  const made: FuzzCase = { endpoint: name, method, target, headers, body, proof, mustFail };
  spoil(dice, made, endpoint);
  return made;
}

/** Makes path and query, sometimes in an odd spelling. */
function targetOf(dice: Dice, endpoint: Endpoint, scene: Scene, cast: Cast, proof: Proof): string {
  const origin = scene.publicUrl;
  const plain = (endpoint.url(dice, scene, cast) || `${origin}/auth/token/${dice.uuid()}`).slice(origin.length);
  return proof === 'right' && dice.chance(0.06) ? oddTarget(dice, plain) : plain;
}

/** The URL that is signed: the one that goes over the wire, or the origin when that one is no URL at all. */
function urlOf(target: string, origin: string): string {
  if (target.startsWith('/')) return origin + target;
  return URL.canParse(target) ? target : origin;
}

/** Takes the signature away or changes signed parts, as the proof says. A valid proof sometimes gets an odd header. */
function spoil(dice: Dice, made: FuzzCase, { token }: Endpoint): void {
  const { headers, proof } = made;
  if (token === undefined || proof === 'unsigned' || (token === null && proof === 'without a token')) {
    delete headers.signature;
    delete headers['signature-input'];
  }
  if (proof === 'tampered with') tamper(dice, made);
  if (proof === 'right' && dice.chance(0.08)) {
    const [header, value] = dice.pick(ODD_HEADERS);
    headers[header] = value;
  }
}

function signerFor({ token }: Endpoint, proof: Proof, { client, stranger, imposter }: Cast): Signer {
  if (proof === 'by a stranger' && token !== null) return stranger;
  return proof === 'by another key' || proof === 'by a stranger' ? imposter : client;
}

function bodyOf(dice: Dice, endpoint: Endpoint, scene: Scene): Buffer | undefined {
  if (endpoint.body === undefined) return dice.chance(0.02) ? Buffer.from('{}') : undefined;
  let value: unknown = endpoint.body(dice, scene);
  if (dice.chance(0.25)) value = mutated(dice, value);
  const json = JSON.stringify(value);
  const bytes = dice.chance(0.08) ? garbled(dice, json) : Buffer.from(json);
  return bytes.length === 0 ? undefined : bytes;
}

function tokenFor(dice: Dice, { token }: Endpoint, proof: Proof, cast: Cast): string | undefined {
  if (token === undefined || token === null || proof === 'without a token') return undefined;
  if (proof === 'by a stranger') return dice.pick([cast.foreign, dice.uuid()]);
  const right = token(dice, cast);
  // A token with other rights reaches the handlers, too, and gets nothing there.
  return proof === 'right' && dice.chance(0.05) ? dice.pick([cast.receiving, cast.spending, cast.foreign]) : right;
}

/** Changes what was signed after it was signed. */
function tamper(dice: Dice, made: FuzzCase): void {
  const { headers, body } = made;
  if (body !== undefined && body.length > 0 && dice.chance(0.5)) {
    const at = dice.below(body.length);
    made.body = Buffer.from(body);
    made.body[at] = (body[at] ?? 0) ^ (1 << dice.below(7));
    return;
  }
  const name = dice.pick(['signature', 'signature-input']);
  const value = headers[name] ?? '';
  const at = Math.floor(value.length / 2) + dice.below(10);
  headers[name] = value.slice(0, at) + dice.pick(['A', '0', '!', '']) + value.slice(at + 2);
}
