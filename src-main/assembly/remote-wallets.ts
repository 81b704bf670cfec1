import type { Core } from '../platform/core.ts';
import type { OutboundHttp } from '../platform/outbound-http/outbound-http.ts';
import type { NodeSecrets } from '../platform/secrets/node-secrets.ts';
import { Seal } from '../platform/secrets/seal.ts';
import { NodeKeys } from '../remote-wallets/node-keys.ts';
import { PaymentGrants } from '../remote-wallets/payment-grants.ts';
import { PaymentHistory } from '../remote-wallets/payment-history.ts';
import { RemoteGrants } from '../remote-wallets/remote-grants.ts';
import { RemoteIncomingPayments } from '../remote-wallets/remote-incoming-payments.ts';
import { RemotePayments } from '../remote-wallets/remote-payments.ts';
import { WalletDirectory } from '../remote-wallets/wallet-directory.ts';
import { WalletHttp } from '../remote-wallets/wallet-http.ts';

interface Parts extends Pick<Core, 'database' | 'clock' | 'urls'> {
  secrets: NodeSecrets;
  http: OutboundHttp;
  /** The name of this process in what it claims; see `OwnReplica`. */
  holder: string;
  /**
   * The URL of one of the node's wallet addresses under the current origin. Other wallets know the client by this URL.
   */
  clientUrl(walletAddressId: string): Promise<string | undefined>;
}

/** Wires the parts with which the node is a client of other wallets. */
export function assembleRemoteWallets({ database, clock, urls, secrets, http: outbound, holder, clientUrl }: Parts) {
  const keys = new NodeKeys(secrets);
  const http = new WalletHttp({ http: outbound, keys, urls, clock });
  const seal = new Seal(secrets.derive('remote-grants'));
  const grants = new RemoteGrants({ database, http, seal, clock, clientUrl, holder });
  return {
    keys,
    grants,
    directory: new WalletDirectory(http),
    incomingPayments: new RemoteIncomingPayments({ http, grants, clock }),
    paymentGrants: new PaymentGrants({ http, clock, clientUrl }),
    payments: new RemotePayments({ http, grants }),
    history: new PaymentHistory(http),
  };
}
