import { BooksDamaged } from '../../ledger/audit/damages.ts';
import type { KnownPeer, PeerDirectory } from '../../peers/peer-directory.ts';
import { NotRemembered, type PeerPackets } from '../../peers/peer-packets.ts';
import { bearerToken, hashToken } from '../../peers/peer-tokens.ts';
import type { Core } from '../../platform/core.ts';
import { FoldedLines } from '../../platform/logs/folded-lines.ts';
import { ApiProblem } from './problems.ts';
import type { PublicServer } from './server.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The peer whose token the request carries. */
    peer: KnownPeer | undefined;
  }
  interface FastifyContextConfig {
    /** Whether the route counts its callers itself. They come so often that answers to them get no line in the log. */
    forPeers?: true;
  }
}

const OCTETS = 'application/octet-stream';
/** A PREPARE has at most 32,767 bytes of data, an address of 1,023 bytes and about 60 bytes more. */
const BODY_LIMIT = 40 * 1024;

interface Parts extends Pick<Core, 'clock' | 'log'> {
  packets: PeerPackets;
  directory: PeerDirectory;
}

/**
 * Takes ILP packets from peers: ILP over HTTP (ILP RFC 35) in its synchronous form. The body of the request is the
 * PREPARE, and the body of the answer is the FULFILL or REJECT. Any status but 200 says that the node did not take the
 * packet, or (from 500 on) that it does not know whether it did.
 */
export function ilpRoute(app: PublicServer, { packets, directory, clock, log }: Parts): void {
  const refused = new FoldedLines(clock, (peer, times) => log.info({ peer, times }, 'packets of a peer were not taken'));
  app.decorateRequest('peer', undefined);
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    const take = (_request: unknown, body: Buffer, taken: (error: null, body: Buffer) => void): void => taken(null, body);
    scope.addContentTypeParser<Buffer>(OCTETS, { parseAs: 'buffer' }, take);
    scope.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (request, _body, taken) =>
      taken(new ApiProblem(request.peer === undefined ? 'invalid_peer_token' : 'not_octets')),
    );
    // Requests of known peers are not counted here. The route must not refuse a packet that the node takes when it
    // comes again, because a peer gives money back when it hears that the node did not take a packet. `PeerPackets`
    // counts them, and the node remembers its refusals.
    scope.addHook('onRequest', async (request) => {
      const token = bearerToken(request.headers.authorization);
      request.peer = token === undefined ? undefined : await directory.findByTokenHash(hashToken(token));
      if (request.peer !== undefined) return;
      const refusal = scope.rateLimits?.refuseUnread(request);
      if (refusal !== undefined) throw refusal;
    });
    scope.addHook('onResponse', async ({ peer }, { statusCode }) => {
      if (peer !== undefined && statusCode !== 200) refused.note(peer.id);
    });
    scope.post('/ilp', { bodyLimit: BODY_LIMIT, config: { forPeers: true } }, async (request, reply) => {
      const { peer, body } = request;
      if (peer === undefined) throw new ApiProblem('invalid_peer_token');
      if (!Buffer.isBuffer(body)) throw new ApiProblem('not_octets');
      const answer = await packets.handle(body, peer).catch(async (error: unknown) => {
        // A peer that goes on sending although it is paused would keep the node busy with refusals.
        if (error instanceof NotRemembered) await scope.rateLimits?.holdBack(request);
        throw problemOf(error);
      });
      return await reply.type(OCTETS).send(answer);
    });
    done();
  });
}

/** What a peer hears when a packet gets no answer. It keeps its money aside, and the packet may come again. */
const problemOf = (error: unknown): unknown =>
  error instanceof NotRemembered || error instanceof BooksDamaged ? new ApiProblem('unavailable', { retryAfterSeconds: 1 }) : error;
