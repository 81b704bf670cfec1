import { useQuery } from '@tanstack/react-query';
import { billWords } from '../../../src-shared/words/sales/bill-text.ts';
import { queries } from '../../transport/operator-client.ts';
import { Card } from '../page/card.tsx';
import { BillTable } from './bill-table.tsx';

/** What a payment request charges. A plain amount has no card. */
export function BillCard({ id }: { id: string }) {
  const { data } = useQuery(queries.requests.bill.queryOptions({ input: { id } }));
  if (data?.bill == null) return null;
  return (
    <Card title={billWords.label}>
      <BillTable bill={data.bill} asset={data.bill} />
    </Card>
  );
}
