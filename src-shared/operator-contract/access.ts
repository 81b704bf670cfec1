import { z } from '../zod.ts';
import { AmountValue } from './values.ts';

/**
 * The client that asks. The host is verified, because its keys signed the request. The name is what the client says of
 * itself.
 */
export const ClientIdentity = z.object({
  /** The URL of the client's wallet address, or `jwk:` and the thumbprint of its key. */
  id: z.string(),
  /**
   * Host and path of the wallet address, such as `shop.example/till`. Null for a client that is known only by its key.
   */
  host: z.string().nullable(),
  selfAssertedName: z.string().nullable(),
});
export type ClientIdentity = z.infer<typeof ClientIdentity>;

/** One access right, as asked for or as granted. */
export const AccessRight = z.object({
  type: z.enum(['incoming-payment', 'outgoing-payment', 'quote']),
  actions: z.array(z.enum(['create', 'complete', 'read', 'read-all', 'list', 'list-all'])),
  /** The wallet address that the right is for. Null for every wallet address of this node. */
  identifier: z.string().nullable(),
  limits: z
    .object({
      receiver: z.string().nullable(),
      /** The repeating interval as the client asked for it (ISO 8601). */
      interval: z.string().nullable(),
      debitAmount: AmountValue.nullable(),
      receiveAmount: AmountValue.nullable(),
    })
    .nullable(),
});
export type AccessRight = z.infer<typeof AccessRight>;
