import type { z } from '../../../src-shared/zod.ts';
import { startDeadline } from '../../platform/outbound-http/deadline.ts';
import type { OutboundHttp, OutboundProblem } from '../../platform/outbound-http/outbound-http.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';

/** Why a node gave no answer of use. `not_found`: it does not know what it is asked about. */
export type RequestProblem = OutboundProblem | 'not_found' | 'refused' | 'too_many_requests' | 'garbage';

/** The one for whom this node asks another: its operator, or somebody who brought a code. */
type AskedFor = 'money' | 'strangers';

interface Request<T> {
  body: object;
  answer: z.ZodType<T>;
  pool: AskedFor;
  /** The bearer token, when the other node is a peer already. */
  token?: string;
  timeoutMs?: number;
}

/**
 * Sends one message to another node and reads its answer. Like every outbound request it goes to allowed addresses
 * only and follows no redirect.
 */
export async function askNode<T>(
  http: Pick<OutboundHttp, 'requestJson'>,
  url: string,
  { body, answer: schema, pool, token, timeoutMs }: Request<T>,
): Promise<Result<T, RequestProblem>> {
  const headers = { 'content-type': 'application/json', accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const deadline = timeoutMs === undefined ? undefined : startDeadline(timeoutMs);
  const answer = await http.requestJson('POST', url, { headers, body: JSON.stringify(body), pool, signal: deadline?.signal });
  deadline?.end();
  if (!answer.ok) return answer;
  const { status, body: content } = answer.value;
  if (status === 404) return refuse('not_found');
  if (status === 429 || status === 503) return refuse('too_many_requests');
  if (status >= 400) return refuse('refused');
  const read = schema.safeParse(content);
  return read.success ? ok(read.data) : refuse('garbage');
}
