import { CheckoutWorker } from '../checkout/checkout-worker.ts';
import { type CheckoutParts, Checkouts } from '../checkout/checkouts.ts';
import { PaymentWatch } from '../checkout/payment-watch.ts';
import type { Core } from '../platform/core.ts';
import { aloneReplica, type OwnReplica } from '../platform/replicas/own-replica.ts';
import type { NodeSecrets } from '../platform/secrets/node-secrets.ts';
import { Seal } from '../platform/secrets/seal.ts';
import type { PaymentServices } from './payments.ts';

interface Parts extends Core {
  secrets: NodeSecrets;
  payments: Pick<PaymentServices, 'walletAddresses' | 'remoteWallets' | 'reach'>;
  /** This process among those that run the node. Without it there is only one. */
  replica?: OwnReplica;
}

/** Wires the checkout, in which visitors pay from their own wallets. It does not start the worker. */
export function assembleCheckout({ database, clock, log, urls, secrets, payments, replica = aloneReplica() }: Parts) {
  const { walletAddresses, remoteWallets, reach } = payments;
  const { directory, paymentGrants } = remoteWallets;
  const seal = new Seal(secrets.derive('checkouts'));
  const parts: CheckoutParts = {
    ...{ database, clock, urls, seal, walletAddresses, directory, paymentGrants, reach },
    payments: remoteWallets.payments,
  };
  const worker = new CheckoutWorker({ ...parts, log, holder: replica.id });
  return { checkouts: new Checkouts(parts, () => worker.wake()), watch: new PaymentWatch(database), worker };
}

export type CheckoutAssembly = ReturnType<typeof assembleCheckout>;
