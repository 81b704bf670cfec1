import { randomBytes, randomUUID } from 'node:crypto';
import { ExchangeAccounts } from '../../exchange/exchange-accounts.ts';
import { Rates } from '../../exchange/rates.ts';
import { Connector } from '../../ilp/connector.ts';
import type { PacketBook } from '../../ilp/packet-book.ts';
import type { AcceptPacket } from '../../ilp/packets.ts';
import { PeerForwarder } from '../../ilp/peer-forwarder.ts';
import type { PeerLinks, PeerRoutes } from '../../ilp/peer-links.ts';
import { Prober } from '../../ilp/prober.ts';
import { StreamReceivers } from '../../ilp/stream-receivers.ts';
import { type SendTask, StreamSender } from '../../ilp/stream-sender.ts';
import { ManualClock } from '../../platform/clock.ts';
import type { Core } from '../../platform/core.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing/test-database.ts';
import { createLogger } from '../../platform/logs/logger.ts';
import { PublicUrls } from '../../platform/public-address/public-urls.ts';
import { refuse } from '../../platform/result.ts';
import { Seal } from '../../platform/secrets/seal.ts';
import type { IncomingPaymentReader } from '../../remote-wallets/remote-incoming-payments.ts';
import { type WalletAddress, WalletAddresses } from '../../wallet-addresses/wallet-addresses.ts';
import { ClaimLinks } from '../claims/claim-links.ts';
import { Claims } from '../claims/claims.ts';
import { IncomingPayments } from '../incoming/incoming-payments.ts';
import { HeldPackets } from '../outgoing/held-packets.ts';
import { createLocalAcceptance } from '../outgoing/local-money.ts';
import { OperatorPayments } from '../outgoing/operator-payments.ts';
import { isFinal, type OutgoingPayment } from '../outgoing/outgoing-payment-rows.ts';
import { OutgoingPayments } from '../outgoing/outgoing-payments.ts';
import { PaymentWorker } from '../outgoing/payment-worker.ts';
import { SendingPlans } from '../outgoing/sending-plan.ts';
import { createPacketBook } from '../outgoing/sent-packets.ts';
import { UnknownPayments } from '../outgoing/unknown-payments.ts';
import { Pricing } from '../quotes/pricing.ts';
import { Quotes } from '../quotes/quotes.ts';
import { Receivers } from '../quotes/receivers.ts';
import { RefundWorker } from '../refunds/refund-worker.ts';
import { Refunds } from '../refunds/refunds.ts';

export const ORIGIN = 'http://127.0.0.1:3000';

interface PaymentsOptions {
  maxPacketAmount?: bigint;
  /** The routes to peers. Without them there are no peers. */
  routes?: PeerRoutes;
  links?: PeerLinks;
  /** The reader of other wallets. Without it there are none. */
  remote?: IncomingPaymentReader;
  clock?: ManualClock;
  testDatabase?: TestDatabase;
  /** How the operator finds and asks other wallets. Without it none answers. */
  otherWallets?: ConstructorParameters<typeof OperatorPayments>[0]['remote'];
  /** Logs nothing, for tests that make things break. */
  quiet?: boolean;
}

/** The payments wing with its real ledger, database and STREAM connector. Only the clock is the test's. */
export function openPayments({
  maxPacketAmount,
  routes = { find: () => undefined, isPaused: () => false },
  links = { send: async () => ({ outcome: 'not_sent', why: 'there are no peers' }) },
  remote = { get: async () => refuse('unknown_receiver'), takeRecent: () => undefined },
  clock = new ManualClock(Date.UTC(2026, 0, 1)),
  testDatabase = openTestDatabase(),
  quiet = false,
  otherWallets = {
    directory: { find: async () => refuse('wallet_unreachable') },
    incomingPayments: { create: async () => refuse('receiver_unreachable') },
  },
}: PaymentsOptions = {}) {
  const { database, dispose } = testDatabase;
  const log = createLogger(quiet ? 'silent' : 'error');
  const urls = new PublicUrls(ORIGIN);
  const walletAddresses = new WalletAddresses({ database, urls, clock });
  const incomingPayments = new IncomingPayments({ database, clock });
  const receivers = new Receivers({ database, urls, walletAddresses, remote, clock });
  const rates = new Rates({ database, clock });
  const exchangeAccounts = new ExchangeAccounts({ database, clock });
  const seal = new Seal(Buffer.alloc(32, 2));
  const book = createPacketBook({ database, clock, seal });
  const accept = createLocalAcceptance({ database, clock });
  const { forwarder, prober, network } = openIlp({ routes, links, book, accept, clock, log, maxPacketAmount });
  const pricing = new Pricing({ rates, exchangeAccounts, routes, prober });
  const quotes = new Quotes({ database, receivers, pricing, clock, lifetimeMs: 300_000 });
  const held = new HeldPackets({ database, forwarder, remote, seal, clock });
  const plans = new SendingPlans({ forwarder, prober, rates, clock });
  const worker = new PaymentWorker({ database, network, walletAddresses, remote, held, plans, clock, log });
  const unknownPayments = new UnknownPayments({ database, clock });
  const outgoingPayments = new OutgoingPayments({ database, quotes, receivers, clock, worker });

  const operatorPayments = new OperatorPayments({
    urls,
    clock,
    walletAddresses,
    incomingPayments,
    remote: otherWallets,
    receivers,
    quotes,
    outgoingPayments,
  });

  const refundWorker = new RefundWorker({ database, clock, log, walletAddresses, operatorPayments, outgoingPayments });
  const refunds = new Refunds({ database, clock, walletAddresses, operatorPayments, onCreated: () => refundWorker.wake() });
  const claimed = openClaims({ database, clock, onRefund: () => refundWorker.wake() });

  const account = async (name: string, openingBalance: bigint, assetCode = 'USD', assetScale = 2): Promise<WalletAddress> => {
    const made = await walletAddresses.create({ id: randomUUID(), name, publicName: name, assetCode, assetScale, openingBalance });
    if (!made.ok) throw new Error(made.error);
    return made.value;
  };
  const finished = async (id: string): Promise<OutgoingPayment> => {
    for (;;) {
      const payment = await outgoingPayments.find(id);
      if (payment !== undefined && isFinal(payment)) return payment;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const close = async () => {
    await refundWorker.stop();
    await worker.stop();
    await dispose();
  };
  return {
    test: testDatabase,
    database,
    clock,
    urls,
    walletAddresses,
    incomingPayments,
    rates,
    exchangeAccounts,
    quotes,
    outgoingPayments,
    operatorPayments,
    worker,
    refunds,
    ...claimed,
    refundWorker,
    unknownPayments,
    forwarder,
    held,
    plans,
    remote,
    network,
    account,
    finished,
    close,
  };
}

/** The claim links, without anybody who names a wallet. */
function openClaims(parts: Pick<ConstructorParameters<typeof Claims>[0], 'database' | 'clock' | 'onRefund'>) {
  const claimLinks = new ClaimLinks({ stream: Buffer.alloc(32, 1) });
  return { claimLinks, claims: new Claims({ ...parts, links: claimLinks }) };
}

/** The ILP wing over the given packet book and the given write for packets within the node. */
function openIlp({ routes, links, book, accept, clock, log, maxPacketAmount }: IlpParts) {
  const nodeAddress = 'private.test';
  const forwarder = new PeerForwarder({ nodeAddress, routes, links, book, clock, log });
  const prober = new Prober({ forwarder, clock });
  const receivers = new StreamReceivers({ secret: randomBytes(32), nodeAddress });
  const connector = new Connector({ forwarder, nodeAddress, receivers, accept, clock, log, maxPacketAmount });
  const sender = new StreamSender({ connector, clock, log });
  const network = {
    credentials: receivers.credentials.bind(receivers),
    send: (task: SendTask) => sender.send(task),
  };
  return { forwarder, prober, network };
}

interface IlpParts extends Pick<Core, 'clock' | 'log'> {
  routes: PeerRoutes;
  links: PeerLinks;
  book: PacketBook;
  accept: AcceptPacket;
  maxPacketAmount: bigint | undefined;
}

export type Payments = ReturnType<typeof openPayments>;
