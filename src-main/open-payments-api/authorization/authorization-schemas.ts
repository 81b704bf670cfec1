import { z } from '../../../src-shared/zod.ts';
import { WireClient } from '../../access/clients/client-identity.ts';
import { WireAccessList } from '../../access/rights/wire-access.ts';

/** Unreserved characters are enough for every nonce. They cannot add lines to the text of the interaction hash. */
const Nonce = z.string().regex(/^[\x21-\x7e]{1,512}$/, 'must be printable ASCII without spaces');

/** A grant request (protocol-notes.md#PN-18). Other members are ignored, and inside `access` they are refused. */
export const GrantRequestBody = z.object({
  client: WireClient,
  access_token: z.object({ access: WireAccessList }).optional(),
  subject: z.object({ sub_ids: z.array(z.object({ id: z.string().max(2048), format: z.literal('uri') })).length(1) }).optional(),
  interact: z
    .object({
      start: z.array(z.string()).refine((modes) => modes.includes('redirect'), 'must include redirect'),
      finish: z.object({ method: z.literal('redirect'), uri: z.string().max(2048), nonce: Nonce }).optional(),
    })
    .optional(),
});

/** A client that sends nothing, or an empty object, polls. */
export const ContinueBody = z.looseObject({ interact_ref: z.string().max(512).optional() }).optional();

export const IdParams = z.object({ id: z.uuid() });
export const InteractionParams = z.object({ id: z.uuid(), nonce: z.string().max(64) });

const AmountAnswer = z.object({ value: z.string(), assetCode: z.string(), assetScale: z.int() });
const AccessAnswer = z.array(
  z.object({
    type: z.string(),
    actions: z.array(z.string()),
    identifier: z.string().optional(),
    limits: z
      .object({
        receiver: z.string().optional(),
        interval: z.string().optional(),
        debitAmount: AmountAnswer.optional(),
        receiveAmount: AmountAnswer.optional(),
      })
      .optional(),
  }),
);
const AccessTokenAnswer = z.object({ value: z.string(), manage: z.string(), expires_in: z.int(), access: AccessAnswer });

export const RotationAnswer = z.object({ access_token: AccessTokenAnswer });

/**
 * The answer to a grant request or a continuation: `interact` while it waits, `access_token` or `subject` once they are
 * given.
 */
export const GrantAnswerBody = z.object({
  interact: z.object({ redirect: z.string(), finish: z.string() }).optional(),
  access_token: AccessTokenAnswer.optional(),
  subject: z.object({ sub_ids: z.array(z.object({ id: z.string(), format: z.string() })) }).optional(),
  continue: z.object({ access_token: z.object({ value: z.string() }), uri: z.string(), wait: z.int().optional() }),
});

export const DiscoveryAnswer = z.object({
  grant_request_endpoint: z.string(),
  interaction_start_modes_supported: z.array(z.string()),
  interaction_finish_modes_supported: z.array(z.string()),
});

export const StateAnswer = z.object({ waiting: z.boolean() });
