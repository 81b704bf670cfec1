import { hash } from 'node:crypto';
import { deserializeIlpReply, isFulfill, serializeIlpPrepare } from 'ilp-packet';
import { assetKey } from '../../src-shared/amounts.ts';
import type { LinkProblemKind } from '../../src-shared/link-problems.ts';
import type { PeerTest } from '../../src-shared/operator-contract/peers.ts';
import type { Core } from '../platform/core.ts';
import type { HttpPeerLinks } from './http-peer-links.ts';
import { ILDCP_ADDRESS, ILDCP_FULFILMENT, readIldcpAnswer } from './ildcp.ts';
import type { KnownPeer } from './peer-directory.ts';
import { probeRepetitions } from './repetition-probe.ts';

const TIMEOUT_MS = 10_000;

interface Parts extends Pick<Core, 'clock'> {
  links: HttpPeerLinks;
}

/** Tries the way to a peer. Where it is in order, it finds out whether the peer recognises repetitions, too. */
export async function testPeer(peer: KnownPeer, parts: Parts): Promise<PeerTest> {
  const tested = await tryWay(peer, parts);
  if (tested.finding !== 'accepted') return tested;
  const repetitions = await probeRepetitions(peer, parts);
  return { ...tested, ...REPETITIONS[peer.deduplicates ? 'relied on' : 'not relied on'][repetitions] };
}

/**
 * Asks a peer, by a packet without money, in which currency it keeps its account with this node (ILDCP, RFC 31). That
 * is all there is to find out about a peer that is known to recognise repetitions.
 */
export async function tryWay(peer: KnownPeer, { links, clock }: Parts): Promise<PeerTest> {
  const begun = clock.monotonic();
  const prepare = serializeIlpPrepare({
    amount: '0',
    destination: ILDCP_ADDRESS,
    executionCondition: hash('sha256', ILDCP_FULFILMENT, 'buffer'),
    expiresAt: new Date(clock.now() + TIMEOUT_MS),
    data: Buffer.alloc(0),
  });
  const answer = await links.handOver(peer.id, prepare, TIMEOUT_MS);
  const milliseconds = Math.round(clock.monotonic() - begun);
  if (!answer.ok) {
    const { kind } = answer.error;
    return { outcome: IS_THERE.has(kind) ? 'refused' : 'unreachable', finding: kind, milliseconds };
  }
  return { ...judge(answer.value, peer), milliseconds };
}

type Found = {
  outcome: 'good' | 'careful';
  finding: 'accepted' | 'forgets_repetitions' | 'recognises_repetitions' | 'repetitions_unclear';
};

/** What it means that the peer recognises repetitions or not, where its setting relies on that and where not. */
const REPETITIONS = {
  'relied on': {
    recognised: { outcome: 'good', finding: 'accepted' },
    forgotten: { outcome: 'careful', finding: 'forgets_repetitions' },
    unclear: { outcome: 'careful', finding: 'repetitions_unclear' },
  },
  'not relied on': {
    recognised: { outcome: 'good', finding: 'recognises_repetitions' },
    forgotten: { outcome: 'good', finding: 'accepted' },
    unclear: { outcome: 'good', finding: 'accepted' },
  },
} as const satisfies Record<string, Record<Awaited<ReturnType<typeof probeRepetitions>>, Found>>;

/** What only a peer that is there can answer. */
const IS_THERE: ReadonlySet<LinkProblemKind> = new Set(['unauthorized', 'no_ilp', 'failed', 'garbage', 'redirected', 'too_large']);

type Judgement = PeerTest extends infer Test ? (Test extends PeerTest ? Omit<Test, 'milliseconds'> : never) : never;

function judge(bytes: Buffer, peer: KnownPeer): Judgement {
  const reply = deserializeIlpReply(bytes);
  if (!isFulfill(reply)) {
    // Not every node tells its currency; one that refuses the question for good has read it.
    if (reply.code.startsWith('F')) return { outcome: 'good', finding: 'accepted' };
    return { outcome: 'refused', finding: reply.code === 'R00' ? 'clock_differs' : 'takes_nothing' };
  }
  const asset = readIldcpAnswer(reply.data);
  if (asset === undefined || assetKey(asset) === assetKey(peer)) return { outcome: 'good', finding: 'accepted' };
  return {
    outcome: 'refused',
    finding: 'other_currency',
    ours: { assetCode: peer.assetCode, assetScale: peer.assetScale },
    theirs: /^[A-Z0-9]{2,12}$/.test(asset.assetCode) ? { assetCode: asset.assetCode, assetScale: asset.assetScale } : null,
  };
}
