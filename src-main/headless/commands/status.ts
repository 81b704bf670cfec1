import { toDecimal } from '../../../src-shared/amounts.ts';
import { HealthCheck } from '../../../src-shared/operator-contract/health-checks.ts';
import { healthText } from '../../../src-shared/words/health.ts';
import { commandWords } from '../../../src-shared/words/terminal/commands.ts';
import { z } from '../../../src-shared/zod.ts';
import type { Command } from './command.ts';

/** The part of the operator API's answer that the command reads. Amounts are text there. */
const Info = z.object({ version: z.string(), publicUrl: z.string() });
const Overview = z.object({
  balances: z.array(z.object({ assetCode: z.string(), assetScale: z.number(), value: z.coerce.bigint(), reserved: z.coerce.bigint() })),
  waitingApprovals: z.number(),
  paymentsUnderWay: z.number(),
  failedToday: z.number(),
  health: z.array(HealthCheck),
});

const words = commandWords.status;

/** Shows how the node is, for a person or a monitor. The exit code is 2 when any check is bad, and 0 otherwise. */
export const status: Command = async (node) => {
  const { version, publicUrl } = await node.request('GET', '/operator/api/node', Info);
  const { balances, waitingApprovals, paymentsUnderWay, failedToday, health } = await node.request(
    'GET',
    '/operator/api/overview',
    Overview,
  );
  const money = balances.map(({ assetCode, assetScale, value, reserved }) => {
    const aside = reserved > 0n ? words.setAside({ amount: toDecimal(reserved, assetScale) }) : '';
    return `  ${toDecimal(value, assetScale)} ${assetCode}${aside}`;
  });
  return {
    lines: [
      words.title({ version, publicUrl }),
      money.length === 0 ? words.noAccounts : words.balances,
      ...money,
      words.counts({ waiting: waitingApprovals, underWay: paymentsUnderWay, failed: failedToday }),
      ...health.map((check) => `${words.marks[check.state]} ${check.name}: ${healthText(check)}`),
    ],
    exitCode: health.some(({ state }) => state === 'bad') ? 2 : 0,
  };
};
