import { z } from 'zod';
import { fromDecimal, toDecimal } from '../../../src-shared/amounts.ts';
import { CURRENCIES } from '../../../src-shared/currencies.ts';
import { ReportedError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Command } from './command.ts';

const Account = z.object({ walletAddress: z.string(), assetCode: z.string(), assetScale: z.number(), balance: z.coerce.bigint() });

/** Opens an account, with the decimal places its currency has unless told otherwise. */
export const createAccount: Command = async (node, { operands: [name = ''], options }) => {
  const assetCode = (options.currency ?? '').toUpperCase();
  if (assetCode === '') throw new ReportedError('Name its currency, such as --currency EUR.');
  const assetScale = decimalsOf(assetCode, options.decimals);
  const openingBalance = fromDecimal(options.deposit ?? '0', assetScale);
  if (openingBalance === undefined) {
    throw new ReportedError(
      `--deposit must be an amount with at most ${assetScale} decimal places, such as ${toDecimal(10_000n, assetScale)}.`,
    );
  }
  const account = await node.request('POST', '/operator/api/accounts', Account, {
    requestId: newId(),
    name,
    publicName: options['public-name'] ?? name,
    assetCode,
    assetScale,
    openingBalance: openingBalance.toString(),
  });
  return {
    lines: [`${account.walletAddress} is open with ${toDecimal(account.balance, account.assetScale)} ${account.assetCode}.`],
    exitCode: 0,
  };
};

function decimalsOf(assetCode: string, typed: string | undefined): number {
  if (typed === undefined) {
    const known = CURRENCIES.find((currency) => currency.assetCode === assetCode);
    if (known === undefined)
      throw new ReportedError(`${assetCode} is no ISO currency: say how many decimal places it has with --decimals.`);
    return known.assetScale;
  }
  const decimals = Number(typed);
  if (!/^\d{1,2}$/.test(typed) || decimals > 18) throw new ReportedError('--decimals must be a number from 0 to 18.');
  return decimals;
}
