import { AccessRight } from '../../../src-shared/operator-contract/access.ts';
import { ApprovalRequest } from '../../../src-shared/operator-contract/approvals.ts';
import { AssetValue } from '../../../src-shared/operator-contract/values.ts';
import { consent } from '../../../src-shared/words/consent.ts';
import { requestWords } from '../../../src-shared/words/grant-request-words.ts';
import { approvalWords } from '../../../src-shared/words/terminal/approvals.ts';
import { z } from '../../../src-shared/zod.ts';
import { systemClock } from '../../platform/clock.ts';
import { ReportedError } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import { folded } from '../folded-text.ts';
import type { Command, RunningNode } from './command.ts';
import { requestLines } from './grant-request-text.ts';

// The operator API writes the contract's requests in JSON, where amounts and times are text.
const Amount = AssetValue.extend({ value: z.coerce.bigint() });
const Moment = z.coerce.date();
const Request: z.ZodType<ApprovalRequest> = ApprovalRequest.extend({
  access: z.array(
    AccessRight.extend({
      limits: AccessRight.shape.limits.unwrap().extend({ debitAmount: Amount.nullable(), receiveAmount: Amount.nullable() }).nullable(),
    }),
  ),
  suggestedLimit: Amount.nullable(),
  nextWindows: z.array(z.object({ start: Moment, end: Moment })),
  createdAt: Moment,
  lapsesAt: Moment,
});

/** @throws ReportedError when the text is not an id, so that nothing else becomes part of a path. */
export function requestPath(typed: string): string {
  const id = typed.toLowerCase();
  if (!isId(id)) throw new ReportedError(approvalWords.notAnId);
  return `/operator/api/approvals/${id}`;
}

export const readRequest = (node: RunningNode, path: string): Promise<ApprovalRequest> => node.request('GET', path, Request);

/** Lists what apps ask for, oldest first, with everything the operator needs to decide. */
export const approvals: Command = async (node) => {
  const requests = await node.request('GET', '/operator/api/approvals', z.array(Request));
  const now = new Date(systemClock.now());
  if (requests.length === 0) return { lines: [approvalWords.none], exitCode: 0 };
  return {
    lines: [...requests.flatMap((request) => requestLines(request, now)), approvalWords.howToAnswer],
    exitCode: 0,
  };
};

/** Denies a request. It asks for no confirmation, because the app can ask again. */
export const deny: Command = async (node, { operands: [id = ''] }) => {
  const path = requestPath(id);
  const { client } = await readRequest(node, path);
  await node.request('POST', `${path}/deny`, z.object({ denied: z.literal(true) }));
  return { lines: folded(`${approvalWords.denied({ app: consent.clientName(client) })} ${requestWords.deniedWords}`, 0), exitCode: 0 };
};
