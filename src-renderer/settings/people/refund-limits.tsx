import { useQuery } from '@tanstack/react-query';
import type { Asset } from '../../../src-shared/amounts.ts';
import type { RefundLimit } from '../../../src-shared/operator-contract/payments/refunds.ts';
import { LIMITED_ROLES, type LimitedRole } from '../../../src-shared/people/roles.ts';
import { amountText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { queries } from '../../transport/operator-client.ts';
import { LimitLine, LimitSection } from './limit-parts.tsx';
import { RefundLimitDialog } from './refund-limit-dialog.tsx';

const words = messages.people.limits;

/** How much cashiers and managers may refund, in each currency of the accounts. */
export function RefundLimits() {
  const { data, error } = useQuery(queries.refundLimits.list.queryOptions());
  if (data?.currencies.length === 0) return null;
  return (
    <LimitSection title={words.title} lead={words.lead} error={error}>
      {data?.currencies.flatMap((asset) =>
        LIMITED_ROLES.map((role) => (
          <RefundLimitLine key={`${role}-${asset.assetCode}-${asset.assetScale}`} role={role} asset={asset} limits={data.limits} />
        )),
      )}
    </LimitSection>
  );
}

/** What a role may refund in a currency, in a sentence. */
function RefundLimitLine({ role, asset, limits }: { role: LimitedRole; asset: Asset; limits: readonly RefundLimit[] }) {
  const { assetCode: currency, assetScale } = asset;
  const limit = limits.find((one) => one.role === role && one.assetCode === currency && one.assetScale === assetScale);
  const text = (value: bigint) => amountText({ value, ...asset });
  return (
    <LimitLine
      text={
        limit === undefined
          ? words.none[role]({ currency })
          : words.upTo[role]({ perPayment: text(limit.perPayment), perDay: text(limit.perDay) })
      }
      name={words.titleOf[role]({ currency })}
      dialog={(onClose) => <RefundLimitDialog role={role} asset={asset} limit={limit} onClose={onClose} />}
    />
  );
}
