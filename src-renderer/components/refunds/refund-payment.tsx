import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { queries } from '../../transport/operator-client.ts';
import { usePayers } from './all-of-payment.ts';
import { type Refundable, RefundDialog } from './refund-dialog.tsx';

const words = messages.payments.refund;

/** Lets a person give back what was received, as far as it is proven who paid, and as far as they may. */
export function RefundPayment({ payment }: { payment: Refundable }) {
  const [asking, { open, close }] = useDisclosure(false);
  // Each time the dialog opens it asks for something new, with a request id of its own.
  const [times, setTimes] = useState(0);
  const { items, list } = usePayers(payment);
  const payers = items.filter(({ refundable }) => refundable.value > 0n);
  const [first] = payers;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  // Those who can get something back may come far behind.
  useEffect(() => {
    if (first === undefined && hasNextPage && !isFetchingNextPage) fetchNextPage();
  }, [first, hasNextPage, isFetchingNextPage, fetchNextPage]);
  const known = useQuery({ ...queries.refunds.of.queryOptions({ input: { paymentId: payment.id } }), enabled: first !== undefined });
  const allowance = known.data?.allowance;
  if (allowance?.refusal !== null || (first === undefined && !asking)) return null;
  const begin = () => {
    setTimes(times + 1);
    open();
  };
  return (
    <>
      <Button variant="default" onClick={begin}>
        {words.action}
      </Button>
      {first !== undefined && (
        <RefundDialog
          key={times}
          payment={payment}
          payers={payers}
          more={hasNextPage}
          first={first}
          allowance={allowance}
          opened={asking}
          onClose={close}
        />
      )}
    </>
  );
}
