import { z } from '../zod.ts';

// What browsers answer (WebAuthn Level 3, section 5.1), as far as the node needs it. The rest is dropped.

/** An id of a credential has at most 1,023 bytes. */
const CredentialId = z.string().regex(/^[A-Za-z0-9_-]{1,1400}$/);
const Bytes = z
  .string()
  .regex(/^[A-Za-z0-9_-]*$/)
  .max(20_000);

/** What `navigator.credentials.create()` answers, as JSON. */
export const Registration = z.object({
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: Bytes,
    attestationObject: Bytes,
    transports: z
      .array(z.string().regex(/^[a-z-]{1,20}$/))
      .max(8)
      .optional(),
  }),
  clientExtensionResults: z.object({}),
});

/** What `navigator.credentials.get()` answers, as JSON. */
export const Assertion = z.object({
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal('public-key'),
  response: z.object({ clientDataJSON: Bytes, authenticatorData: Bytes, signature: Bytes, userHandle: Bytes.nullish() }),
  clientExtensionResults: z.object({}),
});
export type Registration = z.infer<typeof Registration>;
export type Assertion = z.infer<typeof Assertion>;
