import { notifications, notificationsStore } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { News } from '../../src-shared/operator-contract/node.ts';
import { readers } from '../../src-shared/people/roles.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { inertText } from '../../src-shared/words/inert-text.ts';
import { announce, announces, soundPaid } from '../components/notices/browser-notices.ts';
import { AnchorLink } from '../components/page/links.tsx';
import { onNews } from '../transport/live.ts';
import { client } from '../transport/operator-client.ts';
import { mayOf, you } from '../transport/you.ts';

/**
 * How many notifications may wait until those in sight have gone. A busy shop is paid more often than notifications go:
 * told one by one, a payment would be announced long after it came.
 */
const MOST_WAITING = 3;

/**
 * Notifies the person of money that has come, of payments that failed and of refunds that wait for a decision, on any
 * screen and in the browser.
 */
export function useNews(): void {
  const navigate = useNavigate();
  useEffect(
    () =>
      onNews((news) => {
        if (news.kind === 'paid') soundPaid();
        void tell(news, (to) => void navigate({ to, params: { id: news.paymentId } }));
      }),
    [navigate],
  );
}

const COLOURS: Readonly<Record<News['kind'], string>> = { paid: 'pine', failed: 'red', claim: 'orange' };

async function tell({ kind, paymentId: id }: News, open: (to: '/payments/$id' | '/get-paid/$id') => void): Promise<void> {
  const words = messages.payments.news;
  // On the payment's own page the person sees it anyway.
  const isSeen = location.pathname.endsWith(id);
  const shows = !isSeen && (kind !== 'paid' || notificationsStore.getState().queue.length < MOST_WAITING);
  // A busy shop is paid often, so a payment that nobody is told of is not read.
  if (!shows && !announces()) return;
  // A payment that cannot be read now is still in the list.
  // A cashier reads requests only.
  const reads = mayOf(you.get(), readers);
  const payment = await (reads ? client.payments : client.requests).get({ id }).catch(() => undefined);
  if (payment === undefined) return;
  const { progress, amount, accountName } = payment;
  const account = inertText(accountName);
  const titles = {
    paid: () => words.paid({ amount: amountText(progress), account }),
    failed: () => words.failed({ amount: amountText(amount ?? progress), account }),
    claim: () => words.claim({ account }),
  };
  const title = titles[kind]();
  const to = reads ? '/payments/$id' : '/get-paid/$id';
  announce(kind, title, () => open(to));
  if (!shows) return;
  notifications.show({
    id: `${kind} ${id}`,
    title,
    color: COLOURS[kind],
    message: (
      <AnchorLink to={to} params={{ id }} size="sm" onClick={() => notifications.hide(`${kind} ${id}`)}>
        {words.look}
      </AnchorLink>
    ),
    autoClose: kind === 'paid' ? 8_000 : 20_000,
  });
}
