import type { openOperator } from './node-operator.ts';

type Operator = ReturnType<typeof openOperator>['client'];

/** Every act of the owner on persons and API keys. Each prepares what it needs, and gives the act itself. */
export function peopleActs(operator: () => Operator): Record<string, () => Promise<() => Promise<unknown>>> {
  return {
    'apiKeys.create': async () => () => operator().apiKeys.create({ name: 'till', role: 'cashier' }),
    'apiKeys.allowAgain': async () => {
      const { key } = await operator().apiKeys.create({ name: 'till', role: 'cashier' });
      return () => operator().apiKeys.allowAgain({ id: key.id });
    },
    'apiKeys.rotate': async () => {
      const { key } = await operator().apiKeys.create({ name: 'till', role: 'cashier' });
      return () => operator().apiKeys.rotate({ id: key.id });
    },
    'apiKeys.revoke': async () => {
      const { key } = await operator().apiKeys.create({ name: 'till', role: 'cashier' });
      return () => operator().apiKeys.revoke({ id: key.id });
    },
    'people.invite': async () => () => operator().people.invite({ name: 'Ada', role: 'cashier' }),
    'people.makeLink': async () => {
      const { id } = await operator().people.invite({ name: 'Ada', role: 'cashier' });
      return () => operator().people.makeLink({ id });
    },
    'people.change': async () => {
      const { id } = await operator().people.invite({ name: 'Ada', role: 'cashier' });
      return () => operator().people.change({ id, name: 'Bea', role: 'manager' });
    },
    'people.allowAgain': async () => {
      const { id } = await operator().people.invite({ name: 'Ada', role: 'cashier' });
      return () => operator().people.allowAgain({ id });
    },
    'refundLimits.set': async () => () =>
      operator().refundLimits.set({ role: 'cashier', assetCode: 'USD', assetScale: 2, amounts: { perPayment: 500n, perDay: 900n } }),
    'people.remove': async () => {
      const { id } = await operator().people.invite({ name: 'Ada', role: 'cashier' });
      return () => operator().people.remove({ id });
    },
    ...tillActs(operator),
  };
}

/** Every act on tills. */
function tillActs(operator: () => Operator): Record<string, () => Promise<() => Promise<unknown>>> {
  const added = async () => (await operator().tills.add({ name: `Till ${crypto.randomUUID().slice(0, 8)}` })).till;
  return {
    'tills.add': async () => () => operator().tills.add({ name: `Till ${crypto.randomUUID().slice(0, 8)}` }),
    'tills.change': async () => {
      const { id, name } = await added();
      return () => operator().tills.change({ id, name: `${name} 2`, accountId: null });
    },
    'tills.pause': async () => {
      const { id } = await added();
      return () => operator().tills.pause({ id });
    },
    'tills.goOn': async () => {
      const { id } = await added();
      return () => operator().tills.goOn({ id });
    },
    'tills.pairAnew': async () => {
      const { id } = await added();
      return () => operator().tills.pairAnew({ id });
    },
    'tills.remove': async () => {
      const { id } = await added();
      return () => operator().tills.remove({ id });
    },
  };
}
