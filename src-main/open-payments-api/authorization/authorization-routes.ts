import type { FastifyRequest } from 'fastify';
import type { ClientIdentities } from '../../access/clients/client-identity.ts';
import { type Client, clientOf } from '../../access/clients/clients.ts';
import { marksOf } from '../../access/clients/repetitions.ts';
import type { SignatureGate } from '../../access/clients/signature-gate.ts';
import { type Grant, payingRight } from '../../access/grant-rows.ts';
import { type Continuations, FIRST_WAIT_SECONDS } from '../../access/grants/continuations.ts';
import type { Grants } from '../../access/grants/grants.ts';
import type { SignedRequest, VerifiedRequest } from '../../access/http-signatures/http-signatures.ts';
import type { WireAccess } from '../../access/rights/wire-access.ts';
import { gnapToken } from '../../access/secrets.ts';
import type { AccessTokens, IssuedToken } from '../../access/tokens/access-tokens.ts';
import type { Payees } from '../../payments/quotes/payees.ts';
import type { PublicUrls } from '../../platform/public-address/public-urls.ts';
import { signedRequest } from '../http/authenticate-request.ts';
import { ApiProblem, mayComeAgain, SIGNATURE_WORDS } from '../http/problems.ts';
import { signedBy } from '../http/rate-limits.ts';
import type { PublicServer } from '../http/server.ts';
import { ContinueBody, DiscoveryAnswer, GrantAnswerBody, GrantRequestBody, IdParams, RotationAnswer } from './authorization-schemas.ts';

/** The services that the routes of the authorization server use. */
interface AuthorizationServices {
  urls: PublicUrls;
  gate: SignatureGate;
  identities: ClientIdentities;
  grants: Grants;
  continuations: Continuations;
  tokens: AccessTokens;
  /** Finds out who is paid at another wallet. Without it the operator reads only the URL of the receiver there. */
  payees?: Pick<Payees, 'learn'>;
}

/** About as many bytes as a grant with its token, or a token, takes on the disk with its indexes and events. */
const GRANT_BYTES = 5_000;
const TOKEN_BYTES = 1_500;
/** The node reads the keys and the wallet address of an unknown client. */
const CLIENT_REQUESTS = 2;
/** The node reads the receiver to learn who is paid. It may need a grant for that, and reads the wallet address. */
const PAYEE = { outbound: 5, bytes: 16_000 };

/** The routes of the authorization server (protocol-notes.md#PN-18, #PN-20, #PN-21). */
export function authorizationRoutes(app: PublicServer, services: AuthorizationServices): void {
  const { urls, grants, continuations, tokens } = services;

  app.post(
    '/auth',
    { config: { stores: GRANT_BYTES, leavesThings: true }, schema: { body: GrantRequestBody, response: { 200: GrantAnswerBody } } },
    async (request, reply) => {
      const { body } = request;
      const client = await services.identities.identify(body.client);
      if (!client.ok) throw new ApiProblem('unknown_client');
      await mayAskAbout(client.value, request, urls);
      const signed = await requireSignature(services, signedRequest(request, urls), client.value, { unknownKey: 'unknown_client' });
      await signedBy(request, client.value);
      const answer = await grants.request({
        client: client.value,
        access: body.access_token?.access ?? [],
        subject: body.subject?.sub_ids[0]?.id,
        interact: body.interact && { finish: body.interact.finish },
        // Both sides put the URL that the client has signed into the interaction hash.
        endpoint: signed.targetUri,
        marks: marksOf(signed),
      });
      if (!answer.ok) throw new ApiProblem(answer.error);
      const { continuation } = answer.value;
      await app.rateLimits?.noteThing(request, continuation.grantId);
      if (answer.value.kind === 'issued') {
        return { access_token: tokenAnswer(answer.value.token, urls), continue: continueAnswer(urls, continuation.id, continuation.token) };
      }
      // The app does not wait for this. Whether it is known when the operator looks, only the sentence shows.
      reply.raw.once('finish', () => void learnPayee(services, request, client.value, body.access_token?.access ?? []));
      const { interaction, serverNonce } = answer.value;
      return {
        interact: { redirect: `${urls.authServer}/interact/${interaction.id}/${interaction.nonce}`, finish: serverNonce },
        continue: { ...continueAnswer(urls, continuation.id, continuation.token), wait: FIRST_WAIT_SECONDS },
      };
    },
  );

  app.post(
    '/auth/continue/:id',
    { config: { stores: TOKEN_BYTES }, schema: { params: IdParams, body: ContinueBody, response: { 200: GrantAnswerBody } } },
    async (request) => {
      const { grant, token } = await continuedGrant(services, request, request.params.id, CONTINUATION);
      const { body } = request;
      if (body !== undefined && body.interact_ref === undefined && Object.keys(body).length > 0)
        throw new ApiProblem('missing_interact_ref');
      const answer = await continuations.continue(grant, body?.interact_ref);
      if (!answer.ok) throw new ApiProblem(answer.error === 'not_found' ? 'unknown_continuation' : answer.error);
      const next = continueAnswer(urls, grant.continuationId, token);
      if (answer.value.kind === 'waiting') return { continue: { ...next, wait: answer.value.wait } };
      const { token: issued, subject } = answer.value;
      return {
        ...(issued && { access_token: tokenAnswer(issued, urls) }),
        ...(subject !== undefined && { subject: { sub_ids: [{ id: subject, format: 'uri' }] } }),
        continue: next,
      };
    },
  );

  app.delete('/auth/continue/:id', { schema: { params: IdParams } }, async (request, reply) => {
    const { grant } = await continuedGrant(services, request, request.params.id, CANCELLATION);
    await continuations.cancel(grant.id);
    return await reply.status(204).send();
  });

  app.post(
    '/auth/token/:id',
    { config: { stores: TOKEN_BYTES }, schema: { params: IdParams, response: { 200: RotationAnswer } } },
    async (request) => {
      const rotated = await tokens.rotate(await managedToken(services, request, request.params.id));
      if (!rotated.ok) throw new ApiProblem('token_ended');
      return { access_token: tokenAnswer(rotated.value, urls) };
    },
  );

  app.delete('/auth/token/:id', { schema: { params: IdParams } }, async (request, reply) => {
    await tokens.revoke(await managedToken(services, request, request.params.id));
    return await reply.status(204).send();
  });

  app.get('/auth/discovery', { schema: { response: { 200: DiscoveryAnswer } } }, () => ({
    grant_request_endpoint: urls.authServer,
    interaction_start_modes_supported: ['redirect'],
    interaction_finish_modes_supported: ['redirect'],
  }));
}

/**
 * Counts the requests that the node sends to find out who a client is, before it has verified the client.
 * @throws ApiProblem `rate_limited`.
 */
async function mayAskAbout(client: Client, request: FastifyRequest, urls: PublicUrls): Promise<void> {
  if (client.kind === 'jwk' || urls.parse(client.walletAddress) !== undefined) return;
  // The client is not verified yet, so the request does not count for it: nobody uses up the budget of another.
  const refusal = request.server.rateLimits?.refuseUnverified(request, { outbound: CLIENT_REQUESTS });
  if (refusal !== undefined) throw refusal;
}

/** Learns who is paid, if the request names a receiver, and if a stranger has room for that in its budgets. */
async function learnPayee({ payees }: AuthorizationServices, request: FastifyRequest, { id }: Client, access: readonly WireAccess[]) {
  const paying = payingRight(access);
  const receiver = paying?.limits?.receiver;
  if (payees === undefined || receiver === undefined || paying?.identifier === undefined) return;
  if (request.server.rateLimits?.refuseCost(request, PAYEE, receiver) !== undefined) return;
  await payees.learn(receiver, { client: id, payer: paying.identifier }).catch((error: unknown) => {
    request.log.warn({ err: error }, 'it could not be found out who is paid at a receiver');
  });
}

/** Conditions for which the official document has other statuses and codes at other endpoints. */
interface Refusals {
  /** The condition when nothing belongs to the token. */
  absent: 'unknown_continuation' | 'unknown_grant' | 'unknown_access_token';
  /** The condition when the client does not have the key, or no longer has it. */
  unknownKey: 'unknown_client' | 'client_signature';
}
const CONTINUATION: Refusals = { absent: 'unknown_continuation', unknownKey: 'unknown_client' };
const CANCELLATION: Refusals = { absent: 'unknown_grant', unknownKey: 'client_signature' };
const MANAGEMENT: Refusals = { absent: 'unknown_access_token', unknownKey: 'client_signature' };

/** @throws ApiProblem unless the client has signed the request. */
async function requireSignature(
  { gate }: AuthorizationServices,
  request: SignedRequest,
  client: Client,
  { unknownKey }: Pick<Refusals, 'unknownKey'>,
): Promise<VerifiedRequest> {
  const signature = await gate.verify(request, client);
  if (signature.ok) return signature.value;
  if (mayComeAgain(signature.error)) throw new ApiProblem('busy');
  const words = SIGNATURE_WORDS[signature.error];
  const isAboutKeys = signature.error === 'unknown_key' || signature.error === 'key_unavailable';
  if (isAboutKeys && unknownKey === 'unknown_client')
    throw new ApiProblem('unknown_client', { words: `could not determine client: ${words}` });
  throw new ApiProblem('client_signature', { words: `invalid signature: ${words}` });
}

async function continuedGrant(
  services: AuthorizationServices,
  request: FastifyRequest,
  id: string,
  refusals: Refusals,
): Promise<{ grant: Grant; token: string }> {
  const token = gnapToken(request.headers.authorization);
  if (token === undefined) throw new ApiProblem('missing_continuation');
  const grant = await services.continuations.find(id, token);
  if (grant === undefined) throw new ApiProblem(refusals.absent);
  const client = clientOf(grant);
  await requireSignature(services, signedRequest(request, services.urls), client, refusals);
  await signedBy(request, client);
  return { grant, token };
}

async function managedToken(services: AuthorizationServices, request: FastifyRequest, id: string) {
  const value = gnapToken(request.headers.authorization);
  const managed = value === undefined ? undefined : await services.tokens.findManaged(id, value);
  if (managed === undefined) throw new ApiProblem(MANAGEMENT.absent);
  await requireSignature(services, signedRequest(request, services.urls), managed.client, MANAGEMENT);
  await signedBy(request, managed.client);
  return managed;
}

const tokenAnswer = ({ id, value, expiresIn, access }: IssuedToken, urls: PublicUrls) => ({
  value,
  manage: `${urls.authServer}/token/${id}`,
  expires_in: expiresIn,
  access: [...access],
});

const continueAnswer = (urls: PublicUrls, id: string, token: string) => ({
  access_token: { value: token },
  uri: `${urls.authServer}/continue/${id}`,
});
