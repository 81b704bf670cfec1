import { type Amount, type Asset, fromDecimal } from '../../../src-shared/amounts.ts';
import type { ApprovalRequest } from '../../../src-shared/operator-contract/access.ts';
import { spendingLimits, spends, withLimits } from '../../../src-shared/spending-right.ts';
import { amountText } from '../../../src-shared/words/amount-text.ts';
import { endOfDay } from '../../../src-shared/words/day-input.ts';
import { requestWords } from '../../../src-shared/words/request-words.ts';
import { ReportedError } from '../../platform/errors.ts';

/** On which terms the operator allows what an app asks for; empty: on its own. */
export interface ApprovalTerms {
  readonly debit?: Amount;
  readonly receive?: Amount;
  /** For any amount, where the request names none. */
  readonly anyAmountFrom?: string;
  readonly expiresAt?: Date;
}

/**
 * Reads the operator's terms from the options of `approve`. They only ever lower what was asked for.
 * @param asset of the account the money comes from, if the request names one.
 * @throws ReportedError saying what is wrong, also when a request without a limit would get none.
 */
export function readTerms(
  { access, account, unlimited }: ApprovalRequest,
  options: Readonly<Record<string, string>>,
  asset: Asset | undefined,
  now: Date,
): ApprovalTerms {
  const { limit, 'limit-arriving': arriving, 'any-amount-from': name, 'last-day': lastDay } = options;
  const asked = spendingLimits(access);
  if (name !== undefined) {
    if (!unlimited) throw new ReportedError('This request says how much it asks for, so --any-amount-from has nothing to allow.');
    if (limit !== undefined) throw new ReportedError('Choose one of --limit and --any-amount-from.');
    if (account === null) throw new ReportedError(requestWords.noAccount);
    if (name.trim() !== account.name) throw new ReportedError(`${requestWords.accountNameWrong} It is "${account.name}".`);
  } else if (unlimited && limit === undefined) {
    throw new ReportedError(
      account === null
        ? requestWords.noAccount
        : `Say how much it may spend with --limit, or --any-amount-from ${account.name} to allow any amount.`,
    );
  }
  if (limit !== undefined && (asset === undefined || !access.some(spends)))
    throw new ReportedError('It asks for no payments from an account, so --limit has nothing to lower.');
  const askedToArrive = asked?.receiveAmount ?? undefined;
  if (arriving !== undefined && askedToArrive === undefined) {
    throw new ReportedError('It does not say how much may arrive, so --limit-arriving has nothing to lower.');
  }
  const expiresAt = lastDay === undefined ? undefined : readLastDay(lastDay, now);
  return {
    ...(limit !== undefined && asset !== undefined && { debit: readLimit('limit', limit, asset, asked?.debitAmount ?? undefined) }),
    ...(arriving !== undefined && askedToArrive && { receive: readLimit('limit-arriving', arriving, askedToArrive, askedToArrive) }),
    ...(name !== undefined && { anyAmountFrom: name.trim() }),
    ...(expiresAt && { expiresAt }),
  };
}

function readLimit(option: string, text: string, { assetCode, assetScale }: Asset, asked: Amount | undefined): Amount {
  const value = fromDecimal(text, assetScale);
  if (value === undefined || value === 0n) {
    throw new ReportedError(
      `--${option} must be an amount of ${assetCode} above zero, with at most ${assetScale} decimal places: not "${text}".`,
    );
  }
  if (asked !== undefined && value > asked.value) throw new ReportedError(requestWords.onlyLower(amountText(asked)));
  return { value, assetCode, assetScale };
}

function readLastDay(text: string, now: Date): Date {
  const end = endOfDay(text);
  if (end === undefined) throw new ReportedError(`--last-day must be a day such as 2030-12-31, not "${text}".`);
  if (end <= now) throw new ReportedError(requestWords.lastDayPast);
  return end;
}

/** The request as it would be granted on these terms; undefined when that is what it asks for. */
export function onTerms(
  request: ApprovalRequest,
  { debit, receive, anyAmountFrom, expiresAt }: ApprovalTerms,
): ApprovalRequest | undefined {
  if (debit === undefined && receive === undefined && anyAmountFrom === undefined && expiresAt === undefined) return undefined;
  return { ...request, access: withLimits(request.access, { debit, receive }) };
}
