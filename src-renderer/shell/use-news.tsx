import { notifications, notificationsStore } from '@mantine/notifications';
import { useEffect } from 'react';
import type { News } from '../../src-shared/operator-contract/node.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { inertText } from '../../src-shared/words/inert-text.ts';
import { AnchorLink } from '../components/page/links.tsx';
import { onNews } from '../transport/live.ts';
import { client } from '../transport/operator-client.ts';

/**
 * At most so many notifications wait for those in sight to go. A busy shop is paid more often than they pass: told one by one, money would be
 * announced long after it came.
 */
const MOST_WAITING = 3;

/** Tells of money that has come and of payments that failed, wherever the operator is. */
export function useNews(): void {
  useEffect(
    () =>
      onNews((news) => {
        // On its own page it is seen without.
        if (!location.pathname.endsWith(news.paymentId)) void tell(news);
      }),
    [],
  );
}

async function tell({ kind, paymentId: id }: News): Promise<void> {
  if (kind === 'paid' && notificationsStore.getState().queue.length >= MOST_WAITING) return;
  const words = messages.payments.news;
  // A payment that cannot be read now is in the list all the same.
  const payment = await client.payments.get({ id }).catch(() => undefined);
  if (payment === undefined) return;
  const { progress, amount, accountName } = payment;
  const title =
    kind === 'paid'
      ? words.paid(amountText(progress), inertText(accountName))
      : words.failed(amountText(amount ?? progress), inertText(accountName));
  notifications.show({
    id: `${kind} ${id}`,
    title,
    color: kind === 'paid' ? 'pine' : 'red',
    message: (
      <AnchorLink to="/payments/$id" params={{ id }} size="sm" onClick={() => notifications.hide(`${kind} ${id}`)}>
        {words.look}
      </AnchorLink>
    ),
    autoClose: kind === 'paid' ? 8_000 : 20_000,
  });
}
