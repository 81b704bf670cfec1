import type { Amount, Asset } from '../../../src-shared/amounts.ts';
import type { ApprovalRequest } from '../../../src-shared/operator-contract/approvals.ts';
import { spendingLimits, spends, spendsUnbounded, withLimits } from '../../../src-shared/spending-right.ts';
import { NO_LANGUAGE, typedAmount } from '../../../src-shared/typed-input/typed-amount.ts';
import { amountText } from '../../../src-shared/words/amount-text.ts';
import { endOfDay } from '../../../src-shared/words/day-input.ts';
import { requestWords } from '../../../src-shared/words/grant-request-words.ts';
import { approvalWords as words } from '../../../src-shared/words/terminal/approvals.ts';
import { ReportedError } from '../../platform/errors.ts';

type Options = Readonly<Record<string, string>>;

/** The terms on which the operator allows what an app asks for. Without any, it is allowed as the app asks. */
export interface ApprovalTerms {
  readonly debit?: Amount;
  readonly receive?: Amount;
  /** The typed name of the account from which any amount may be spent, where the request names no amount. */
  readonly anyAmountFrom?: string;
  readonly expiresAt?: Date;
}

/**
 * Reads the operator's terms from the options of `approve`. They can only lower what was asked for.
 * @param asset is the asset of the account that the money comes from, if the request names one.
 * @throws ReportedError with what is wrong, for example that a request without a limit would get none.
 */
export function readTerms(request: ApprovalRequest, options: Options, asset: Asset | undefined, now: Date): ApprovalTerms {
  const { limit, 'limit-arriving': arriving, 'any-amount-from': name, 'last-day': lastDay } = options;
  const asked = spendingLimits(request.access);
  if (name !== undefined) refuseWrongName(request, name, limit);
  else if (request.unlimited && limit === undefined) throw unlimitedRefusal(request);
  return {
    ...(limit !== undefined && { debit: readDebit(request, limit, asset) }),
    ...(arriving !== undefined && { receive: readArriving(arriving, asked?.receiveAmount ?? undefined) }),
    ...(name !== undefined && { anyAmountFrom: name.trim() }),
    ...(lastDay !== undefined && { expiresAt: readLastDay(lastDay, now) }),
  };
}

function refuseWrongName({ account, unlimited }: ApprovalRequest, name: string, limit: string | undefined): void {
  if (!unlimited) throw new ReportedError(words.hasAmount);
  if (limit !== undefined) throw new ReportedError(words.chooseOne);
  if (account === null) throw new ReportedError(requestWords.noAccount);
  if (name.trim() !== account.name) throw new ReportedError(`${requestWords.accountNameWrong} ${words.accountIs({ name: account.name })}`);
}

/** Why a request without a limit of its own cannot be allowed as it is. */
const unlimitedRefusal = ({ account }: ApprovalRequest): ReportedError =>
  new ReportedError(account === null ? requestWords.noAccount : words.limitNeeded({ account: account.name }));

function readDebit({ access, unlimited }: ApprovalRequest, limit: string, asset: Asset | undefined): Amount {
  if (asset === undefined || !access.some(spends)) throw new ReportedError(words.nothingToLimit);
  // An amount that bounds nothing is not there to be lowered: the operator sets another one in its place.
  const debit = readLimit('limit', limit, asset, unlimited ? undefined : (spendingLimits(access)?.debitAmount ?? undefined));
  if (spendsUnbounded(withLimits(access, { debit }))) throw new ReportedError(requestWords.limitIsNone);
  return debit;
}

function readArriving(arriving: string, asked: Amount | undefined): Amount {
  if (asked === undefined) throw new ReportedError(words.nothingArrives);
  return readLimit('limit-arriving', arriving, asked, asked);
}

function readLimit(option: string, text: string, { assetCode, assetScale }: Asset, asked: Amount | undefined): Amount {
  const value = typedAmount(text, { assetCode, assetScale }, NO_LANGUAGE);
  if (value === undefined || value === 0n) {
    throw new ReportedError(words.amountWrong({ option, currency: assetCode, decimals: assetScale, typed: text }));
  }
  if (asked !== undefined && value > asked.value) throw new ReportedError(requestWords.onlyLower({ amount: amountText(asked) }));
  return { value, assetCode, assetScale };
}

function readLastDay(text: string, now: Date): Date {
  const end = endOfDay(text);
  if (end === undefined) throw new ReportedError(words.dayWrong({ typed: text }));
  if (end <= now) throw new ReportedError(requestWords.lastDayPast);
  return end;
}

/**
 * The request as the app would get it on these terms.
 * @returns undefined when the terms change nothing.
 */
export function onTerms(
  request: ApprovalRequest,
  { debit, receive, anyAmountFrom, expiresAt }: ApprovalTerms,
): ApprovalRequest | undefined {
  if (debit === undefined && receive === undefined && anyAmountFrom === undefined && expiresAt === undefined) return undefined;
  return { ...request, access: withLimits(request.access, { debit, receive }) };
}
