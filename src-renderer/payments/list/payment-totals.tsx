import { Skeleton } from '@mantine/core';
import { assetKey } from '../../../src-shared/amounts.ts';
import type { PaymentSummary } from '../../../src-shared/operator-contract/payments/payments.ts';
import { amountText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import classes from './payment-totals.module.css';

const words = messages.payments;

/** Shows the sums of the payments that match. While the node adds them up, a placeholder keeps their room. */
export function PaymentTotals({ summary }: { summary: PaymentSummary | undefined }) {
  return (
    <p className={classes.totals} role="status" aria-label={words.totals} data-testid="payment-totals">
      {summary === undefined ? (
        <Skeleton component="span" display="inline-block" height={14} width={240} />
      ) : (
        <>
          <span className={classes.count}>{words.count({ count: summary.count })}</span>
          {summary.totals.flatMap(({ received, sent, ...asset }) => [
            ...(received > 0n
              ? [<span key={`in ${assetKey(asset)}`}>{words.received({ amount: amountText({ ...asset, value: received }) })}</span>]
              : []),
            ...(sent > 0n
              ? [<span key={`out ${assetKey(asset)}`}>{words.sent({ amount: amountText({ ...asset, value: sent }) })}</span>]
              : []),
          ])}
        </>
      )}
    </p>
  );
}
