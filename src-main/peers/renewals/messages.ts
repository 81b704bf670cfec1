import { PeerToken } from '../../../src-shared/operator-contract/peers.ts';
import { TEST_FINDINGS, TEST_OUTCOMES } from '../../../src-shared/peering/test-findings.ts';
import { z } from '../../../src-shared/zod.ts';

/** What two nodes of this kind ask each other once they are peers: `POST /ilp/peering`, with the peer's token. */
export const PeeringBody = z.discriminatedUnion('ask', [
  /** Test your connection to me, and tell what you have found. */
  z.object({ ask: z.literal('test') }),
  /** Let us renew our tokens. Yours is this one; which one is mine? */
  z.object({ ask: z.literal('renew'), renewal: z.uuid(), token: PeerToken }),
  /** I send your token now. From now on send mine. */
  z.object({ ask: z.literal('switch'), renewal: z.uuid() }),
]);
export type PeeringBody = z.infer<typeof PeeringBody>;

const OUTCOMES = [
  /** The answer to `renew`, with the token that the asker is to send. */
  'token',
  /** The answer to `switch`. */
  'switched',
  /** This node has begun another renewal, and that one goes on. */
  'other_renewal',
  /** The answers to `test`; see `PeerTest`. */
  ...TEST_OUTCOMES,
] as const;

export const PeeringAnswer = z.object({
  outcome: z.enum(OUTCOMES),
  token: PeerToken.optional(),
  finding: z.enum([...TEST_FINDINGS, 'other_currency']).optional(),
});
export type PeeringAnswer = z.infer<typeof PeeringAnswer>;
