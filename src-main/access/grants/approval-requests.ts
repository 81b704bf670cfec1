import { createHash } from 'node:crypto';
import type { AccessRight, ClientIdentity } from '../../../src-shared/operator-contract/access.ts';
import type { ApprovalRequest } from '../../../src-shared/operator-contract/approvals.ts';
import { parseInterval } from '../../../src-shared/repeating-interval.ts';
import type { WalletAddress, WalletAddresses } from '../../wallet-addresses/wallet-addresses.ts';
import { type Grant, isUnlimited, payingRight } from '../grant-rows.ts';
import { nextWindows } from '../rights/intervals.ts';
import { fromWireAmount, type WireAccess } from '../rights/wire-access.ts';

/** For so many windows of an interval the operator sees the dates. */
const WINDOWS_TOLD = 3;

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
  /** Under the current origin. */
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

/** A stored grant request as the operator reads it. Nothing in it comes from the page or from the console. */
export function approvalRequest(grant: Grant, account: PayingAccount | undefined, now: number): ApprovalRequest {
  const paying = payingRight(grant.requested);
  const interval = paying?.limits?.interval === undefined ? undefined : parseInterval(paying.limits.interval);
  const windows = interval === undefined ? [] : nextWindows(interval, now, WINDOWS_TOLD);
  const shown = {
    id: grant.id,
    client: clientIdentity(grant),
    access: shownAccess(grant.requested),
    subject: grant.subject,
    account: account ? { id: account.id, name: account.name, publicName: account.publicName, walletAddress: account.url } : null,
    returnsTo: grant.finishUri,
    unlimited: isUnlimited(paying),
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
 * Leaves out what time or typing changes (windows, wrong codes, whether the page is open), because nobody approves
 * that.
 */
function hashOf(shown: object): string {
  const text = JSON.stringify(shown, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
  return createHash('sha256').update(text).digest('base64url');
}
