import { CheckoutWorker } from '../checkout/checkout-worker.ts';
import { type CheckoutParts, Checkouts } from '../checkout/checkouts.ts';
import { PaymentWatch } from '../checkout/payment-watch.ts';
import { ClaimLinks } from '../payments/claims/claim-links.ts';
import { ClaimVisits } from '../payments/claims/claim-visits.ts';
import { ClaimWorker } from '../payments/claims/claim-worker.ts';
import { Claims } from '../payments/claims/claims.ts';
import type { Core } from '../platform/core.ts';
import { aloneReplica, type OwnReplica } from '../platform/replicas/own-replica.ts';
import type { NodeSecrets } from '../platform/secrets/node-secrets.ts';
import { Seal } from '../platform/secrets/seal.ts';
import type { PaymentServices } from './payments.ts';

interface Parts extends Core {
  secrets: NodeSecrets;
  payments: Pick<PaymentServices, 'walletAddresses' | 'remoteWallets' | 'reach' | 'refundWorker' | 'peers'>;
  /** This process among those that run the node. Without it there is only one. */
  replica?: OwnReplica;
}

/** Wires the checkout, in which visitors pay from their own wallets, and the claim links. It starts no worker. */
export function assembleCheckout(given: Parts) {
  const { database, clock, log, urls, secrets, payments, replica = aloneReplica() } = given;
  const { walletAddresses, remoteWallets, reach } = payments;
  const { directory, paymentGrants } = remoteWallets;
  const seal = new Seal(secrets.derive('checkouts'));
  const parts: CheckoutParts = {
    ...{ database, clock, urls, seal, walletAddresses, directory, paymentGrants, reach },
    payments: remoteWallets.payments,
  };
  const worker = new CheckoutWorker({ ...parts, log, holder: replica.id });
  return { checkouts: new Checkouts(parts, () => worker.wake()), watch: new PaymentWatch(database), worker, claims: assembleClaims(given) };
}

/** Wires the claim links, by which the shop gives back to payers who are not known. */
function assembleClaims({ database, clock, log, urls, secrets, payments, replica = aloneReplica() }: Parts) {
  const { walletAddresses, remoteWallets, refundWorker, peers } = payments;
  const { directory, paymentGrants: grants, incomingPayments } = remoteWallets;
  const [seal, links] = [new Seal(secrets.derive('claims')), new ClaimLinks(secrets)];
  const onRefund = () => refundWorker.wake();
  const worker = new ClaimWorker({
    ...{ database, clock, log, urls, seal, walletAddresses, grants, incomingPayments, onRefund },
    ...{ history: remoteWallets.history, routes: peers.directory, holder: replica.id },
  });
  const visits = new ClaimVisits({ database, clock, urls, seal, links, walletAddresses, directory, grants }, () => worker.wake());
  return { links, operator: new Claims({ database, clock, links, onRefund }), visits, worker };
}

export type CheckoutAssembly = ReturnType<typeof assembleCheckout>;
