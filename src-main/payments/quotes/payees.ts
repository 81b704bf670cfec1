import type { Core } from '../../platform/core.ts';
import { siteOf } from '../../platform/outbound-http/targets.ts';
import type { IncomingPaymentReader } from '../../remote-wallets/remote-incoming-payments.ts';
import type { WalletDirectory } from '../../remote-wallets/wallet-directory.ts';
import type { WalletAddress, WalletAddresses } from '../../wallet-addresses/wallet-addresses.ts';
import { findIncomingPayment } from '../incoming/incoming-payments.ts';

/** Who is paid at a receiver. */
interface Payee {
  /** URL of the incoming payment. */
  receiver: string;
  walletAddress: string;
  /** What the wallet address calls itself: a stranger's text. */
  publicName: string | null;
}

/** The one for whom the node asks other wallets. */
interface Learner {
  /** Id of the client that asks for the grant. */
  client: string;
  /** URL of the own wallet address from which the money would come, in whose name the node asks. */
  payer: string;
}

interface Parts extends Pick<Core, 'database' | 'urls'> {
  walletAddresses: WalletAddresses;
  remote: Pick<IncomingPaymentReader, 'get'>;
  directory: Pick<WalletDirectory, 'find'>;
}

/** The most payees of other wallets that are remembered. Requests that wait for the operator are far fewer. */
const MOST_KNOWN = 500;

/**
 * Knows whose receiver a grant request names, for the sentence that the operator reads. Other wallets are asked once,
 * after the request was answered, and never while the operator looks at it (decisions.md#D-132).
 */
export class Payees {
  readonly #parts: Parts;
  readonly #known = new Map<string, Payee>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Asks nobody. @returns undefined when nobody knows, or when the receiver's wallet did not vouch for it. */
  async of(receiver: string): Promise<Payee | undefined> {
    const own = this.#parts.urls.parse(receiver);
    if (own === undefined) return this.#known.get(receiver);
    const payment = own.kind === 'incoming-payment' ? await findIncomingPayment(this.#parts.database.read, own.id) : undefined;
    const account = payment && (await this.#parts.walletAddresses.byId(payment.walletAddressId));
    return account && this.#ownPayee(receiver, account);
  }

  /** Asks the wallets of a receiver elsewhere, and remembers what they say, if it is of use. */
  async learn(receiver: string, { client, payer }: Learner): Promise<void> {
    const { urls, walletAddresses, remote, directory } = this.#parts;
    if (urls.parse(receiver) !== undefined || this.#known.has(receiver)) return;
    const account = await walletAddresses.byUrl(payer);
    const payment = account && (await remote.get(receiver, { client, walletAddressId: account.id }));
    if (!payment?.ok) return;
    const found = await directory.find(payment.value.walletAddress, { pool: 'receivers', caller: siteOf(client) });
    // Whoever made the receiver could name the wallet address of somebody well known, so that one has to agree.
    if (!found.ok || !receiver.startsWith(`${found.value.resourceServer}/incoming-payments/`)) return;
    this.#known.set(receiver, { receiver, walletAddress: found.value.id, publicName: found.value.publicName ?? null });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_KNOWN) break;
      this.#known.delete(oldest);
    }
  }

  #ownPayee(receiver: string, account: WalletAddress): Payee {
    return { receiver, walletAddress: this.#parts.walletAddresses.urlOf(account), publicName: account.publicName };
  }
}
