import { toDecimal } from '../../../src-shared/amounts.ts';
import { CURRENCIES } from '../../../src-shared/currencies.ts';
import { NO_LANGUAGE, typedAmount } from '../../../src-shared/typed-input/typed-amount.ts';
import { commandWords } from '../../../src-shared/words/terminal/commands.ts';
import { z } from '../../../src-shared/zod.ts';
import { ReportedError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Command } from './command.ts';

const words = commandWords.createAccount;
const Account = z.object({ walletAddress: z.string(), assetCode: z.string(), assetScale: z.number(), balance: z.coerce.bigint() });

/** Opens an account. It has the decimal places of its currency unless the operator names others. */
export const createAccount: Command = async (node, { operands: [name = ''], options }) => {
  const assetCode = (options.currency ?? '').toUpperCase();
  if (assetCode === '') throw new ReportedError(words.currencyNeeded);
  const assetScale = decimalsOf(assetCode, options.decimals);
  const openingBalance = typedAmount(options.deposit ?? '0', { assetCode, assetScale }, NO_LANGUAGE);
  if (openingBalance === undefined) {
    throw new ReportedError(words.depositWrong({ decimals: assetScale, example: toDecimal(10_000n, assetScale) }));
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
    lines: [
      words.done({
        walletAddress: account.walletAddress,
        balance: `${toDecimal(account.balance, account.assetScale)} ${account.assetCode}`,
      }),
    ],
    exitCode: 0,
  };
};

function decimalsOf(assetCode: string, typed: string | undefined): number {
  if (typed === undefined) {
    const known = CURRENCIES.find((currency) => currency.assetCode === assetCode);
    if (known === undefined) throw new ReportedError(words.decimalsNeeded({ currency: assetCode }));
    return known.assetScale;
  }
  const decimals = Number(typed);
  if (!/^\d{1,2}$/.test(typed) || decimals > 18) throw new ReportedError(words.decimalsWrong);
  return decimals;
}
