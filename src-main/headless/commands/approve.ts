import type { Asset } from '../../../src-shared/amounts.ts';
import type { ApprovalRequest } from '../../../src-shared/operator-contract/approvals.ts';
import { AssetValue } from '../../../src-shared/operator-contract/values.ts';
import { requestWords } from '../../../src-shared/words/grant-request-words.ts';
import { hostOf } from '../../../src-shared/words/inert-text.ts';
import { approvalWords } from '../../../src-shared/words/terminal/approvals.ts';
import { z } from '../../../src-shared/zod.ts';
import { systemClock } from '../../platform/clock.ts';
import { ReportedError } from '../../platform/errors.ts';
import { folded } from '../folded-text.ts';
import { OperatorRefusal } from '../operator-connection.ts';
import type { Terminal } from '../terminal.ts';
import { type ApprovalTerms, onTerms, readTerms } from './approval-terms.ts';
import { readRequest, requestPath } from './approvals.ts';
import type { Command, RunningNode } from './command.ts';
import { allowedLines, requestLines } from './grant-request-text.ts';

type Options = Readonly<Record<string, string>>;

const WrongCode = z.object({ attemptsLeft: z.number() });

/**
 * Shows a request again, and allows it after the person at the terminal has typed "approve". In a script the value of
 * `--confirm` takes the place of that word. It is the hash of the request as `approvals` has shown it. The node
 * compares it with what is stored, so that it allows nothing but what was shown (decisions.md#D-33).
 */
export const approve =
  (terminal: Terminal): Command =>
  async (node, { operands: [id = ''], options }) => {
    const path = requestPath(id);
    const request = await readRequest(node, path);
    const now = new Date(systemClock.now());
    for (const line of requestLines(request, now)) terminal.print(line);
    refuseUnready(request, options, terminal);
    const asset = await accountAsset(node, request);
    const terms = readTerms(request, { ...options, ...(await askForTerms(request, options, asset, terminal)) }, asset, now);
    const changed = onTerms(request, terms);
    if (changed) for (const line of [...allowedLines(changed, terms.expiresAt), '']) terminal.print(line);
    const code = await readCode(options, terminal);
    if (options.confirm === undefined && (await terminal.ask(approvalWords.typeApprove)) !== 'approve') {
      throw new ReportedError(approvalWords.notAllowed({ id: request.id }));
    }
    await send(node, path, { code, shownHash: options.confirm ?? request.shownHash, terms });
    const words = requestWords.approvedWords(request.returnsTo === null ? undefined : hostOf(request.returnsTo));
    return { lines: folded(`${requestWords.approvedTitle}. ${words}`, 0), exitCode: 0 };
  };

/** @throws ReportedError when no answer could allow the request, before the person is asked anything. */
function refuseUnready({ opened, shownHash }: ApprovalRequest, { confirm }: Options, { attended }: Terminal): void {
  if (!opened) throw new ReportedError(requestWords.notOpened);
  if (confirm === undefined && !attended) {
    throw new ReportedError(approvalWords.unattended);
  }
  if (confirm !== undefined && confirm !== shownHash) {
    throw new ReportedError(approvalWords.otherRequest);
  }
}

/** The asset of the account that the money comes from. The limits are amounts of this asset. */
async function accountAsset(node: RunningNode, { account }: ApprovalRequest): Promise<Asset | undefined> {
  return account === null ? undefined : await node.request('GET', `/operator/api/accounts/${account.id}`, AssetValue);
}

/** Asks the person at the terminal for a limit when neither the request nor the options have one. */
async function askForTerms(
  { unlimited, account }: ApprovalRequest,
  options: Options,
  asset: Asset | undefined,
  terminal: Terminal,
): Promise<Options> {
  const isGiven = options.limit !== undefined || options['any-amount-from'] !== undefined;
  if (!unlimited || isGiven || account === null || asset === undefined || !terminal.attended) return {};
  const limit = await terminal.ask(approvalWords.limitQuestion({ label: requestWords.limitLabel({ code: asset.assetCode }) }));
  return limit === '' ? { 'any-amount-from': await terminal.ask(`${requestWords.accountNameLabel({ name: account.name })}: `) } : { limit };
}

async function readCode({ code }: Options, terminal: Terminal): Promise<string> {
  const typed = code ?? (terminal.attended ? await terminal.ask(approvalWords.codeQuestion) : '');
  if (!/^\d{4}$/.test(typed)) throw new ReportedError(approvalWords.codeNeeded);
  return typed;
}

async function send(
  node: RunningNode,
  path: string,
  { code, shownHash, terms }: { code: string; shownHash: string; terms: ApprovalTerms },
): Promise<void> {
  const { debit, receive, anyAmountFrom, expiresAt } = terms;
  const body = {
    code,
    shownHash,
    ...(debit && { debitLimit: debit.value.toString() }),
    ...(receive && { receiveLimit: receive.value.toString() }),
    ...(anyAmountFrom !== undefined && { unlimitedForAccountNamed: anyAmountFrom }),
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
  };
  try {
    await node.request('POST', `${path}/approve`, z.object({ approved: z.literal(true) }), body);
  } catch (error) {
    const wrong = error instanceof OperatorRefusal && error.code === 'WRONG_CODE' ? WrongCode.safeParse(error.data) : undefined;
    throw wrong?.success ? new ReportedError(requestWords.wrongCode({ left: wrong.data.attemptsLeft })) : error;
  }
}
