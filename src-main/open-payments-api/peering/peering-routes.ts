import type { FastifyRequest } from 'fastify';
import { AcceptAnswer, AcceptBody, ConfirmAnswer, ConfirmBody, ReadAnswer, ReadBody } from '../../peers/invitations/messages.ts';
import type { PeerDirectory } from '../../peers/peer-directory.ts';
import { bearerToken, hashToken } from '../../peers/peer-tokens.ts';
import type { Peering } from '../../peers/peering.ts';
import { PeeringAnswer, PeeringBody } from '../../peers/renewals/messages.ts';
import { ApiProblem } from '../http/problems.ts';
import type { PublicServer } from '../http/server.ts';

interface Parts {
  peering: Peering;
  directory: PeerDirectory;
}

/** About as many bytes as a peer leaves on the disk, with its accounts and events. */
const PEER_BYTES = 4_000;

/**
 * What nodes say to each other so that they become peers, and once they are (decisions.md#D-160). Whoever does not know
 * a code, a name of an acceptance or a token learns only that.
 */
export function peeringRoutes(app: PublicServer, { peering, directory }: Parts): void {
  const { given, accepted } = peering;

  app.post('/ilp/invitations/read', { schema: { body: ReadBody, response: { 200: ReadAnswer } } }, async (request) => {
    pay(request, { requests: 1 });
    const invitation = await given.bySecret(request.body.secret);
    if (invitation === undefined) throw new ApiProblem('not_found');
    return given.terms(invitation);
  });

  app.post('/ilp/invitations/accept', { schema: { body: AcceptBody, response: { 200: AcceptAnswer } } }, async (request) => {
    pay(request, { requests: 1 });
    const invitation = await given.bySecret(request.body.secret);
    if (invitation === undefined) throw new ApiProblem('not_found');
    pay(request, { outbound: 1, bytes: PEER_BYTES }, request.body.origin);
    return { outcome: await given.accept(invitation, request.body) };
  });

  app.post('/ilp/invitations/confirm', { schema: { body: ConfirmBody, response: { 200: ConfirmAnswer } } }, async (request) => {
    pay(request, { requests: 1 });
    const confirmed = await accepted.confirm(request.body);
    if (confirmed === undefined) throw new ApiProblem('not_found');
    return confirmed;
  });

  app.post('/ilp/peering', { schema: { body: PeeringBody, response: { 200: PeeringAnswer } } }, async (request) => {
    pay(request, { requests: 1 });
    const token = bearerToken(request.headers.authorization);
    const tokenHash = token === undefined ? '' : hashToken(token);
    const peer = await directory.findByTokenHash(tokenHash);
    if (peer === undefined) throw new ApiProblem('invalid_peer_token');
    return await peering.answer(peer, tokenHash, request.body);
  });
}

/**
 * Counts what a request uses up, because whoever sends it is a stranger.
 * @throws ApiProblem `rate_limited` or `busy`.
 */
function pay(request: FastifyRequest, cost: { requests?: number; outbound?: number; bytes?: number }, asked?: string): void {
  const refusal = request.server.rateLimits?.refuseCost(request, cost, asked);
  if (refusal !== undefined) throw refusal;
}
