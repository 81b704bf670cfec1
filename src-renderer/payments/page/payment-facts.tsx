import type { Amount } from '../../../src-shared/amounts.ts';
import type { PaymentDetail } from '../../../src-shared/operator-contract/payments/payments.ts';
import { amountText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { dateTimeText } from '../../../src-shared/words/date-text.ts';
import { hostAndPath } from '../../../src-shared/words/inert-text.ts';
import { PaymentState } from '../../components/money/payment-state.tsx';
import { AnchorLink } from '../../components/page/links.tsx';
import { LoadMore } from '../../components/page/load-more.tsx';
import { usePayers } from '../../components/refunds/all-of-payment.ts';
import { Copyable } from '../../components/text/copyable.tsx';
import { Facts } from '../../components/text/facts.tsx';
import { InertText } from '../../components/text/inert-text.tsx';
import { Money } from '../../components/text/money.tsx';

const words = messages.payments;
const { fact } = words;
const money = (amount: Amount) => <Money text={amountText(amount)} fits />;

function Url({ url, what }: { url: string; what: string }) {
  return (
    <Copyable value={url} what={what}>
      <InertText text={hostAndPath(url)} length={160} />
    </Copyable>
  );
}

/** Who paid. Nobody is named without a proof. */
function Payers({ payment }: { payment: PaymentDetail }) {
  const { items: payers, list } = usePayers(payment);
  const claimed = payment.refunds.filter((refund) => refund.claimed !== null);
  if (payers.length === 0 && claimed.length === 0) return <>{fact.payerUnknown}</>;
  return (
    <>
      {payers.map(({ walletAddress }) => (
        <Url key={walletAddress} url={walletAddress} what={fact.payer} />
      ))}
      <LoadMore list={list} />
      {claimed.map((refund) => (
        <div key={refund.id}>
          <Url url={refund.payer} what={fact.payer} />
          {refund.claimed !== null && messages.claims.by[refund.claimed]}
        </div>
      ))}
    </>
  );
}

const inert = (text: string | null) => (text === null ? null : <InertText key={text} text={text} />);

/** Shows the facts of a payment. A fact that does not apply to its direction is left out. */
export function PaymentFacts({ payment }: { payment: PaymentDetail }) {
  const { direction, amount, progress, receiveAmount, delivered, receiver, client, grantId, reference, note, expiresAt } = payment;
  const { refundOf } = payment;
  const incoming = direction === 'in';
  const account = (
    <AnchorLink to="/accounts/$id" params={{ id: payment.accountId }}>
      <InertText text={payment.accountName} expands={false} />
    </AnchorLink>
  );
  const app = client === null ? fact.byYou : <InertText text={hostAndPath(client)} />;
  return (
    <Facts
      facts={[
        [fact.status, <PaymentState key="status" status={payment.status} />],
        [incoming ? fact.amountIn : fact.amountOut, amount === null ? words.anyAmount : money(amount)],
        [incoming ? fact.received : fact.sent, money(progress)],
        [fact.receiveAmount, receiveAmount && money(receiveAmount)],
        [fact.delivered, delivered && money(delivered)],
        [fact.account, account],
        [fact.walletAddress, <Url key="walletAddress" url={payment.walletAddress} what={fact.walletAddress} />],
        [fact.receiver, receiver === null ? null : <Url key="receiver" url={receiver} what={fact.receiver} />],
        [fact.payer, incoming && progress.value > 0n ? <Payers key="payer" payment={payment} /> : null],
        [
          fact.refundOf,
          refundOf === null ? null : (
            <AnchorLink key="refundOf" to="/payments/$id" params={{ id: refundOf }}>
              {fact.refundOfLink}
            </AnchorLink>
          ),
        ],
        [fact.app, app],
        [
          fact.grant,
          grantId === null ? null : (
            <AnchorLink key="grant" to="/apps/$grantId" params={{ grantId }}>
              {fact.grantLink}
            </AnchorLink>
          ),
        ],
        [fact.reference, inert(reference)],
        [fact.note, inert(note)],
        [words.madeAtLabel, payment.madeAt === null ? null : words.madeAt[payment.madeAt]],
        [messages.tills.fact, payment.till === null ? null : inert(payment.till.name)],
        [fact.created, dateTimeText(payment.createdAt)],
        [fact.updated, dateTimeText(payment.updatedAt)],
        [fact.expires, expiresAt && dateTimeText(expiresAt)],
        [fact.packets, payment.packets === null ? fact.packetsArchived : fact.packetsCount({ count: payment.packets })],
        [fact.url, <Url key="url" url={payment.url} what={fact.url} />],
      ]}
    />
  );
}
