import { randomUUID } from 'node:crypto';
import type { openOperator } from './node-operator.ts';

type Operator = ReturnType<typeof openOperator>['client'];

const TEA = { name: 'Tea', price: 250n, assetCode: 'USD', assetScale: 2, taxRateId: null, code: null, colour: null };

/** Every act on products. Each prepares what it needs, and gives the act itself. */
export function productActs(operator: () => Operator): Record<string, () => Promise<() => Promise<unknown>>> {
  const added = async () => await operator().products.add({ requestId: randomUUID(), ...TEA });
  return {
    'products.add': async () => added,
    'products.change': async () => {
      const { id } = await added();
      return () => operator().products.change({ ...TEA, id, price: 300n });
    },
    'products.remove': async () => {
      const { id } = await added();
      return () => operator().products.remove({ id });
    },
  };
}
