import { inArray } from 'drizzle-orm';
import { assetKey, sameAsset } from '../../src-shared/amounts.ts';
import { accountsAfter } from '../ledger/audit/account-rules.ts';
import { type Finding, ownerNamedIn } from '../ledger/audit/damages.ts';
import { accountId } from '../ledger/ledger.ts';
import { peers } from '../peers/tables.ts';
import type { Reader } from '../platform/database/database.ts';
import { walletAddresses } from '../wallet-addresses/tables.ts';

/**
 * Compares the kind and the currency of the ledger accounts after `after` with their ids and their owners. An account
 * without money has no transfer that could tell.
 * @returns what is wrong, and the last account compared. It is undefined when all were compared.
 */
export async function checkOwners(reader: Reader, after: string): Promise<{ findings: Finding[]; last: string | undefined }> {
  const { accounts, last } = await accountsAfter(reader, after);
  const owners = accounts.map((account) => ownerNamedIn(account.id));
  const asset = <T extends typeof walletAddresses | typeof peers>(of: T) => ({
    id: of.id,
    assetCode: of.assetCode,
    assetScale: of.assetScale,
  });
  const known = new Map(
    [
      ...(await reader.select(asset(walletAddresses)).from(walletAddresses).where(inArray(walletAddresses.id, owners))),
      ...(await reader.select(asset(peers)).from(peers).where(inArray(peers.id, owners))),
    ].map((owner) => [owner.id, owner]),
  );
  const isRight = (account: (typeof accounts)[number]): boolean => {
    if (account.kind === 'exchange' || account.kind === 'external') return account.id === accountId(account.kind, assetKey(account));
    const owner = known.get(ownerNamedIn(account.id));
    return account.id.startsWith(accountId(account.kind, '')) && (owner === undefined || sameAsset(account, owner));
  };
  return {
    findings: accounts
      .filter((account) => !isRight(account))
      .map((account) => ({ owner: ownerNamedIn(account.id), finding: 'owner', place: account.id })),
    last,
  };
}
