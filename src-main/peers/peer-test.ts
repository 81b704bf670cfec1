import { hash } from 'node:crypto';
import { deserializeIlpReply, isFulfill, serializeIlpPrepare } from 'ilp-packet';
import { assetKey } from '../../src-shared/amounts.ts';
import type { Clock } from '../platform/clock.ts';
import { type HttpPeerLinks, type LinkProblem, wordsOf } from './http-peer-links.ts';
import { ILDCP_ADDRESS, ILDCP_FULFILMENT, readIldcpAnswer } from './ildcp.ts';
import type { KnownPeer } from './peer-directory.ts';

/** How a test of a peer went, in words an operator can act on. */
export interface PeerTestResult {
  outcome: 'good' | 'refused' | 'unreachable';
  words: string;
  milliseconds: number;
}

const TIMEOUT_MS = 10_000;

/** Asks a peer, by a packet without money, in which currency it keeps its account with this node (ILDCP, RFC 31). */
export async function testPeer(peer: KnownPeer, { links, clock }: { links: HttpPeerLinks; clock: Clock }): Promise<PeerTestResult> {
  const begun = clock.now();
  const prepare = serializeIlpPrepare({
    amount: '0',
    destination: ILDCP_ADDRESS,
    executionCondition: hash('sha256', ILDCP_FULFILMENT, 'buffer'),
    expiresAt: new Date(begun + TIMEOUT_MS),
    data: Buffer.alloc(0),
  });
  const answer = await links.handOver(peer.id, prepare, TIMEOUT_MS);
  const milliseconds = clock.now() - begun;
  if (!answer.ok) return { outcome: isThere(answer.error) ? 'refused' : 'unreachable', words: wordsOf(answer.error), milliseconds };
  return { ...judge(answer.value, peer), milliseconds };
}

const isThere = ({ kind }: LinkProblem): boolean =>
  ['unauthorized', 'no_ilp', 'failed', 'garbage', 'redirected', 'too_large'].includes(kind);

function judge(bytes: Buffer, peer: KnownPeer): Omit<PeerTestResult, 'milliseconds'> {
  const reply = deserializeIlpReply(bytes);
  if (!isFulfill(reply)) {
    // Not every node tells its currency; one that refuses the question for good has read it.
    if (reply.code.startsWith('F')) return { outcome: 'good', words: 'It answers and accepts the token.' };
    if (reply.code === 'R00') {
      return {
        outcome: 'refused',
        words: 'It answers and accepts the token, but by its clock every packet comes too late. Set the clocks of both computers right.',
      };
    }
    return {
      outcome: 'refused',
      words: 'It answers and accepts the token, but takes nothing at the moment. It may have paused this node.',
    };
  }
  const asset = readIldcpAnswer(reply.data);
  if (asset === undefined || assetKey(asset) === assetKey(peer)) return { outcome: 'good', words: 'It answers and accepts the token.' };
  const known = /^[A-Z0-9]{2,12}$/.test(asset.assetCode) ? `in ${asset.assetCode} with ${asset.assetScale} decimal places` : 'otherwise';
  return {
    outcome: 'refused',
    words: `It answers, but keeps its account with this node ${known}, not in ${peer.assetCode} with ${peer.assetScale}. Both sides must have the same.`,
  };
}
