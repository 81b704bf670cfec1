import { createHash } from 'node:crypto';
import type { Amount, Asset } from '../../../src-shared/amounts.ts';
import type { AccessRight, ClientIdentity } from '../../../src-shared/operator-contract/access.ts';
import type { ApprovalRequest } from '../../../src-shared/operator-contract/approvals.ts';
import { parseInterval } from '../../../src-shared/repeating-interval.ts';
import { beginsTooOften, boundsSpending, spendsUnbounded } from '../../../src-shared/spending-right.ts';
import type { WalletAddress, WalletAddresses } from '../../wallet-addresses/wallet-addresses.ts';
import { type Grant, payingRight } from '../grant-rows.ts';
import { nextWindows } from '../rights/intervals.ts';
import { fromWireAmount, type WireAccess } from '../rights/wire-access.ts';

/** The operator sees the dates of this many windows of an interval. */
const WINDOWS_TOLD = 3;

/** What others on the way may keep and what rates may move, in percent of what a payment costs now. */
const MARGIN_PERCENT = 2n;

/** The client of a grant, for the operator. It keeps apart what is verified and what the client says of itself. */
export function clientIdentity({
  clientId,
  clientKind,
  clientName,
}: Pick<Grant, 'clientId' | 'clientKind' | 'clientName'>): ClientIdentity {
  const url = clientKind === 'wallet-address' ? URL.parse(clientId) : null;
  return { id: clientId, host: url && url.host + url.pathname.replace(/\/$/, ''), selfAssertedName: clientName };
}

/** Rights as the operator sees them. */
export function shownAccess(items: readonly WireAccess[]): AccessRight[] {
  return items.map((item) => {
    const limits = item.type === 'outgoing-payment' ? item.limits : undefined;
    return {
      type: item.type,
      actions: [...item.actions],
      identifier: item.identifier ?? null,
      limits: limits
        ? {
            receiver: limits.receiver ?? null,
            interval: limits.interval ?? null,
            debitAmount: limits.debitAmount ? fromWireAmount(limits.debitAmount) : null,
            receiveAmount: limits.receiveAmount ? fromWireAmount(limits.receiveAmount) : null,
          }
        : null,
    };
  });
}

interface PayingAccount extends WalletAddress {
  /** The client's URL under its current origin. */
  url: string;
}

/** The account from which a grant request would take money. */
export async function payingAccount(
  walletAddresses: Pick<WalletAddresses, 'byUrl' | 'urlOf'>,
  { requested }: Grant,
): Promise<PayingAccount | undefined> {
  const right = payingRight(requested) ?? requested.find(({ type }) => type === 'outgoing-payment');
  const found = right?.identifier === undefined ? undefined : await walletAddresses.byUrl(right.identifier);
  return found && { ...found, url: walletAddresses.urlOf(found) };
}

/** What it costs now that so much arrives, in smallest units of the payer's asset. It is undefined without a rate. */
export type CostOf = (arriving: Amount, payer: Asset) => Promise<bigint | undefined>;

/**
 * The limit on what leaves the account that fits a limit on what arrives: what that costs now, and a margin. The node
 * only suggests it; the operator decides. It is null where there is nothing to go by.
 */
export async function suggestedLimit({ requested }: Grant, account: PayingAccount | undefined, costOf: CostOf): Promise<Amount | null> {
  if (!spendsUnbounded(shownAccess(requested))) return null;
  const { receiveAmount, interval = null } = payingRight(requested)?.limits ?? {};
  const cost = receiveAmount && account && (await costOf(fromWireAmount(receiveAmount), account));
  if (cost === undefined || account === undefined) return null;
  const value = (cost * (100n + MARGIN_PERCENT) + 99n) / 100n;
  const debitAmount = { value, assetCode: account.assetCode, assetScale: account.assetScale };
  return value > 0n && boundsSpending({ debitAmount, interval }) ? debitAmount : null;
}

/** The parts of a request that may change, and that are no part of what is approved. */
type Beside = 'suggestedLimit' | 'payee';

/** A stored grant request as the operator reads it. Nothing in it comes from the page or from the console. */
export function approvalRequest(grant: Grant, account: PayingAccount | undefined, now: number): Omit<ApprovalRequest, Beside> {
  const paying = payingRight(grant.requested);
  const repeats = paying?.limits?.interval;
  const interval = repeats === undefined || beginsTooOften(repeats) ? undefined : parseInterval(repeats);
  const windows = interval === undefined ? [] : nextWindows(interval, now, WINDOWS_TOLD);
  const access = shownAccess(grant.requested);
  const unlimited = spendsUnbounded(access);
  const shown = {
    id: grant.id,
    client: clientIdentity(grant),
    access,
    subject: grant.subject,
    account: account ? { id: account.id, name: account.name, publicName: account.publicName, walletAddress: account.url } : null,
    returnsTo: grant.finishUri,
    unlimited,
    createdAt: new Date(grant.createdAt),
    lapsesAt: new Date(grant.lapsesAt ?? grant.createdAt),
  };
  return {
    ...shown,
    nextWindows: windows.map(({ start, end }) => ({ start: new Date(start), end: new Date(end) })),
    opened: grant.openedAt !== null,
    wrongCodes: grant.wrongCodes,
    shownHash: hashOf(shown),
  };
}

/**
 * Leaves out what time, typing or another wallet changes (windows, the suggestion, wrong codes, whether the page is
 * open, the name of whoever is paid), because nobody approves that (decisions.md#D-243).
 */
function hashOf(shown: object): string {
  const text = JSON.stringify(shown, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
  return createHash('sha256').update(text).digest('base64url');
}
