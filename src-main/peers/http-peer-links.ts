import { deserializeIlpReply } from 'ilp-packet';
import type { LinkProblemKind } from '../../src-shared/link-problems.ts';
import { z } from '../../src-shared/zod.ts';
import type { LinkOutcome, PeerLinks } from '../ilp/peer-links.ts';
import type { Core } from '../platform/core.ts';
import type { BytesProblem, OutboundBytes } from '../platform/outbound-http/outbound-http.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import type { PeerDirectory } from './peer-directory.ts';
import type { PeerSightings } from './peer-sightings.ts';

/**
 * How long after a packet's expiry the node still waits for its answer. So an answer that is under way still
 * counts, and nobody has to ask again.
 */
const GRACE_MS = 2_000;
/**
 * The least time that a packet gets which is sent again after its expiry, because a peer that has seen it before still
 * answers it.
 */
const LEAST_MS = 5_000;
const MOST_MS = 65_000;

/** Why a peer gave no FULFILL or REJECT. */
interface LinkProblem {
  /** Whether the peer may have taken the packet nevertheless. */
  readonly sent: boolean;
  readonly kind: LinkProblemKind;
}

interface Parts extends Pick<Core, 'clock' | 'log'> {
  directory: PeerDirectory;
  sightings: PeerSightings;
  http: OutboundBytes;
}

/**
 * ILP over HTTP in its synchronous form (RFC 35, protocol-notes.md#PN-37): one POST carries a PREPARE, and its answer
 * carries the FULFILL or REJECT.
 */
export class HttpPeerLinks implements PeerLinks {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async send(peerId: string, prepare: Buffer, expiresAt: Date): Promise<LinkOutcome> {
    const handed = await this.handOver(peerId, prepare, expiresAt.getTime() - this.#parts.clock.now() + GRACE_MS);
    if (handed.ok) return { outcome: 'answered', reply: handed.value };
    return { outcome: handed.error.sent ? 'lost' : 'not_sent', why: handed.error.kind };
  }

  /**
   * Hands over a PREPARE and notes whether the peer was there.
   * @param timeoutMs how long to wait, in milliseconds. It is kept between 5 and 65 seconds.
   */
  async handOver(peerId: string, prepare: Buffer, timeoutMs: number): Promise<Result<Buffer, LinkProblem>> {
    const { sightings, log } = this.#parts;
    const answer = await this.#post(peerId, prepare, Math.min(Math.max(Math.ceil(timeoutMs), LEAST_MS), MOST_MS));
    if (answer.ok) {
      sightings.answered(peerId);
    } else {
      sightings.failed(peerId, answer.error.kind);
      log.debug({ peer: peerId, ...answer.error }, 'a peer gave no answer');
    }
    return answer;
  }

  async #post(peerId: string, prepare: Buffer, timeoutMs: number): Promise<Result<Buffer, LinkProblem>> {
    const peer = this.#parts.directory.byId(peerId);
    if (peer === undefined) return refuse({ sent: false, kind: 'unknown_peer' });
    if (peer.token === undefined) return refuse({ sent: false, kind: 'no_token' });
    const headers = {
      authorization: `Bearer ${peer.token}`,
      'content-type': 'application/octet-stream',
      accept: 'application/octet-stream',
    };
    const answer = await this.#parts.http.postBytes(peer.endpoint, { headers, body: prepare, timeoutMs });
    if (!answer.ok) return refuse(linkProblem(answer.error));
    const { status, body } = answer.value;
    const refused = problemOfStatus(status);
    if (refused !== undefined) return refuse({ ...refused, sent: refused.sent || (peer.deduplicates && !isOwnRefusal(status, body)) });
    return isReply(body) ? ok(body) : refuse({ sent: true, kind: 'garbage' });
  }
}

const linkProblem = ({ problem, sent }: BytesProblem): LinkProblem => ({ sent, kind: problem });

/**
 * Tells what a status other than 200 means. A redirect or a refusal usually comes before anybody has looked at the
 * packet. 408 is an exception, because a server may also mean by it that it gave up on what it had begun.
 */
function problemOfStatus(status: number): LinkProblem | undefined {
  if (status === 200) return undefined;
  if (status === 401 || status === 403) return { sent: false, kind: 'unauthorized' };
  if (status >= 300 && status < 500 && status !== 408) return { sent: false, kind: 'no_ilp' };
  return { sent: true, kind: status >= 400 ? 'failed' : 'garbage' };
}

/** The codes with which a node of this kind refuses a packet without having looked at it, by status. */
const OWN_CODES: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'invalid_token',
  404: 'not_found',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
};

/**
 * Whether the node itself refused, and not something in front of it. A proxy can also say no, or send elsewhere, after
 * it has handed the packet on. A peer that recognises repetitions is a node of this kind and can be asked again, so
 * nobody else is believed in its place. Another peer cannot be asked. Its refusal is believed, because only a
 * fulfilment that the peer hands over makes this node owe it anything.
 */
function isOwnRefusal(status: number, body: Buffer): boolean {
  const code = OWN_CODES[status];
  return code !== undefined && ownRefusal.safeParse(parseJson(body)).data?.error.code === code;
}

const ownRefusal = z.object({ error: z.object({ code: z.string(), description: z.string() }) });

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function isReply(bytes: Buffer): boolean {
  try {
    deserializeIlpReply(bytes);
    return true;
  } catch {
    return false;
  }
}
