import type { WalletCheck } from '../../../../src-shared/operator-contract/payments/wallets.ts';
import type { WalletReport } from '../../../payments/reach/wallet-reach.ts';
import { outside } from '../../queries/health/outside-health.ts';
import { operations } from '../guarded-operations.ts';

const os = operations.wallets;

const OWN: WalletCheck = { walletAddress: null, name: null, asset: null, own: true, lines: [], example: null };

export const walletsHandlers = os.router({
  check: os.check.handler(async ({ context, input, errors }) => {
    const account = await context.walletAddresses.byId(input.accountId);
    if (account === undefined) throw errors.NOT_FOUND();
    const report = await context.reach.report(input.wallet, account);
    return report.ok ? shown(report.value) : OWN;
  }),
  outside: os.outside.handler(({ context }) => outside(context)),
});

function shown({ wallet, lines, example }: WalletReport): WalletCheck {
  return {
    walletAddress: wallet?.id ?? null,
    name: wallet?.publicName ?? null,
    asset: wallet === undefined ? null : { assetCode: wallet.assetCode, assetScale: wallet.assetScale },
    own: false,
    lines: lines.map(({ step, state, problem, code }) => ({ step, state, problem: problem ?? null, code: code ?? null })),
    example: example ?? null,
  };
}
