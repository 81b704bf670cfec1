import { z } from '../zod.ts';

const host = z.string();
const port = z.number().int();
const addresses = z.array(z.string());
const days = z.number().int();
const status = z.number().int();
const seconds = z.number().int();

/** What one step of the reachability check found, with the facts. */
export const ReachFinding = z.discriminatedUnion('code', [
  /** The step was not tried, because an earlier one has to work first. */
  z.object({ code: z.literal('earlier_step') }),

  z.object({ code: z.literal('url_not_given') }),
  z.object({ code: z.enum(['url_of_this_computer', 'url_public']), url: z.string() }),

  z.object({ code: z.enum(['no_address', 'own_computer']), host }),
  /** `own_network`: only the operator's own network can reach the addresses. */
  z.object({ code: z.enum(['own_network', 'public_address']), host, addresses }),

  /** `listen`: the address on which paydesk listens on this computer, as HOST:PORT. */
  z.object({ code: z.enum(['port_refused', 'port_silent']), port, listen: z.string() }),
  /** `closed`: the addresses of the name whose port does not answer. */
  z.object({ code: z.literal('port_partly'), port, closed: addresses }),
  z.object({ code: z.literal('port_open'), port }),

  z.object({ code: z.enum(['tls_not_needed', 'not_encrypted', 'no_tls']) }),
  /** `refusal`: the error code of OpenSSL or Node, such as `CERT_HAS_EXPIRED`. */
  z.object({ code: z.literal('certificate_refused'), refusal: z.string(), host }),
  z.object({ code: z.enum(['certificate_ends_soon', 'certificate_trusted']), days }),

  /** `no_date`: a program answered without the header `Date`. */
  z.object({ code: z.enum(['no_answer', 'no_date']) }),
  z.object({ code: z.literal('other_program'), status }),
  /** `clocks_far_apart`: the clocks differ so much that the node refuses signatures. */
  z.object({ code: z.enum(['clocks_far_apart', 'clocks_differ']), seconds }),
  z.object({ code: z.literal('clocks_agree') }),

  z.object({ code: z.enum(['no_account', 'signature_changed', 'signature_right']) }),
  /** `status`: the status of the answer; null when there was none. */
  z.object({ code: z.literal('signature_lost'), status: status.nullable() }),
]);
export type ReachFinding = z.infer<typeof ReachFinding>;

/** One step of the check whether the world can reach the node. */
export const ReachStep = z.object({
  name: z.enum(['public_url', 'dns', 'port', 'tls', 'clock', 'signature']),
  /** `skipped`: an earlier step has to work first, or the node has nothing to try the step with. */
  state: z.enum(['running', 'good', 'warning', 'bad', 'skipped']),
  /** It is null while the step runs. */
  finding: ReachFinding.nullable(),
});
export type ReachStep = z.infer<typeof ReachStep>;
