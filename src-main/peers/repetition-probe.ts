import { setTimeout as delay } from 'node:timers/promises';
import { deserializeIlpReply, serializeIlpPrepare } from 'ilp-packet';
import { generateRandomCondition } from 'ilp-protocol-stream/dist/src/crypto.js';
import type { Core } from '../platform/core.ts';
import type { HttpPeerLinks } from './http-peer-links.ts';
import type { KnownPeer } from './peer-directory.ts';

/**
 * Whether a peer answers a repeated packet as the first time. `unclear`: by its clock no packet came shortly before its
 * end, or it answered otherwise than by a rejection.
 */
type Repetitions = 'recognised' | 'forgotten' | 'unclear';

interface Parts extends Pick<Core, 'clock'> {
  readonly links: Pick<HttpPeerLinks, 'handOver'>;
  /** Waits so many milliseconds. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

/** How long the first copy lives. A node wants a second at least (RFC 27), and rejects it with R02. */
const LIFE_MS = 600;
/** The differences that the peer's clock may have, in the order in which the probe tries them. */
const CLOCKS_MS = [0, 900, -900, 1_800, -1_800, 2_700, -2_700];
/** The first copy, which had less than a second left, has expired by the peer's clock as well after this time. */
const UNTIL_EXPIRED_MS = 1_200;
const TIMEOUT_MS = 10_000;

/**
 * Finds out whether a peer recognises a packet that it got before (decisions.md#D-151). Nobody can fulfil the packets
 * that it sends, so they move nothing.
 *
 * The first copy comes so shortly before its end that the peer rejects it with R02. Once it has expired, the same bytes
 * go to the peer again, and with them a new packet that has expired at the same time. A peer that remembers gives the
 * copy its first answer, and the new packet another one.
 */
export async function probeRepetitions(peer: KnownPeer, { links, clock, wait = delay }: Parts): Promise<Repetitions> {
  const ask = async (prepare: Buffer): Promise<Buffer | undefined> => {
    const answer = await links.handOver(peer.id, prepare, TIMEOUT_MS);
    return answer.ok ? answer.value : undefined;
  };
  for (const difference of CLOCKS_MS) {
    const expiresAt = new Date(clock.now() + LIFE_MS + difference);
    const prepare = probeFor(peer, expiresAt);
    const first = await ask(prepare);
    if (first === undefined) return 'unclear';
    if (codeOf(first) !== 'R02') continue;
    await wait(UNTIL_EXPIRED_MS);
    const [copy, other] = [await ask(prepare), await ask(probeFor(peer, expiresAt))];
    if (copy === undefined || other === undefined) return 'unclear';
    return copy.equals(first) && codeOf(other) !== 'R02' ? 'recognised' : 'forgotten';
  }
  return 'unclear';
}

/** One unit to an address at which nobody is, with a condition to which nobody knows the preimage. */
const probeFor = ({ ilpAddress }: KnownPeer, expiresAt: Date): Buffer =>
  serializeIlpPrepare({
    amount: '1',
    destination: `${ilpAddress}.probe`,
    executionCondition: generateRandomCondition(),
    expiresAt,
    data: Buffer.alloc(0),
  });

function codeOf(bytes: Buffer): string | undefined {
  const reply = deserializeIlpReply(bytes);
  return 'code' in reply ? reply.code : undefined;
}
