import type { Account } from '../../../src-shared/operator-contract/accounts.ts';
import { badRequests } from '../../../src-shared/operator-contract/error-messages.ts';
import type { OperatorContext } from '../context.ts';
import { findAccount, listAccounts, listMovements } from '../queries/accounts.ts';
import { badRequest, placeOf } from './bad-requests.ts';
import { operations } from './guarded-operations.ts';

const os = operations.accounts;

export const accountsHandlers = os.router({
  list: os.list.handler(({ context, input }) => listAccounts(context, input)),
  get: os.get.handler(async ({ context, input, errors }) => {
    const account = await findAccount(context, input.id);
    if (account === undefined) throw errors.NOT_FOUND();
    return account;
  }),
  create: os.create.handler(async ({ context, input: { requestId, ...wanted }, errors }) => {
    const created = await context.walletAddresses.create({ id: requestId, ...wanted });
    if (created.ok) return await existing(context, created.value.id);
    if (created.error === 'name_taken') throw errors.NAME_TAKEN();
    if (created.error === 'id_taken') throw errors.REQUEST_ID_TAKEN();
    throw badRequest(badRequests.tooLarge);
  }),
  movements: os.movements.handler(async ({ context, input, errors }) => {
    if ((await context.walletAddresses.byId(input.id)) === undefined) throw errors.NOT_FOUND();
    const wanted = { accountId: input.id, from: placeOf(input.cursor), limit: input.limit };
    return await context.database.readAtOnce((read) => listMovements(read, wanted));
  }),
  deposit: os.deposit.handler(async ({ context, input: { id: walletAddressId, requestId: id, amount, note }, errors }) => {
    const moved = await context.walletAddresses.move({ id, kind: 'deposit', walletAddressId, amount, note });
    if (!moved.ok && moved.error === 'id_taken') throw errors.REQUEST_ID_TAKEN();
    if (!moved.ok) throw moved.error === 'not_found' ? errors.NOT_FOUND() : errors.TOO_LARGE();
    return await existing(context, walletAddressId);
  }),
  withdraw: os.withdraw.handler(async ({ context, input: { id: walletAddressId, requestId: id, amount, note }, errors }) => {
    const moved = await context.walletAddresses.move({ id, kind: 'withdrawal', walletAddressId, amount, note });
    if (!moved.ok && moved.error === 'id_taken') throw errors.REQUEST_ID_TAKEN();
    if (!moved.ok) throw moved.error === 'not_found' ? errors.NOT_FOUND() : errors.INSUFFICIENT_BALANCE();
    return await existing(context, walletAddressId);
  }),
  keys: {
    list: os.keys.list.handler(async ({ context, input, errors }) => {
      if ((await context.walletAddresses.byId(input.id)) === undefined) throw errors.NOT_FOUND();
      return await context.access.clientKeys.list(input.id);
    }),
    add: os.keys.add.handler(async ({ context, input: { id: walletAddressId, label, jwk }, errors }) => {
      if ((await context.walletAddresses.byId(walletAddressId)) === undefined) throw errors.NOT_FOUND();
      const added = await context.access.clientKeys.add({ walletAddressId, label, jwk });
      if (added.ok) return added.value;
      switch (added.error) {
        case 'invalid_key':
          throw errors.INVALID_KEY();
        case 'private_key':
          throw errors.PRIVATE_KEY();
        case 'key_id_taken':
          throw errors.KEY_ID_TAKEN();
      }
    }),
    revoke: os.keys.revoke.handler(async ({ context, input, errors }) => {
      const revoked = await context.access.clientKeys.revoke(input.keyId);
      if (!revoked.ok) throw errors.NOT_FOUND();
      return revoked.value;
    }),
  },
});

async function existing(context: OperatorContext, id: string): Promise<Account> {
  const account = await findAccount(context, id);
  if (account === undefined) throw new Error('an account is gone right after it was changed');
  return account;
}
