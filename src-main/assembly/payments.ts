import { ExchangeAccounts } from '../exchange/exchange-accounts.ts';
import { Rates } from '../exchange/rates.ts';
import { Connector } from '../ilp/connector.ts';
import { PeerForwarder } from '../ilp/peer-forwarder.ts';
import { Prober } from '../ilp/prober.ts';
import { StreamReceivers } from '../ilp/stream-receivers.ts';
import { type SendTask, StreamSender } from '../ilp/stream-sender.ts';
import { printedPage } from '../open-payments-api/pages/printed/printed-page.ts';
import { IncomingPayments } from '../payments/incoming/incoming-payments.ts';
import { createClosedCheck, createPeerAcceptance } from '../payments/incoming/peer-money.ts';
import { HeldPackets } from '../payments/outgoing/held-packets.ts';
import { createLocalAcceptance } from '../payments/outgoing/local-money.ts';
import { OperatorPayments } from '../payments/outgoing/operator-payments.ts';
import { OutgoingPayments } from '../payments/outgoing/outgoing-payments.ts';
import { PaymentWorker } from '../payments/outgoing/payment-worker.ts';
import { SendingPlans } from '../payments/outgoing/sending-plan.ts';
import { createPacketBook } from '../payments/outgoing/sent-packets.ts';
import { UnknownPayments } from '../payments/outgoing/unknown-payments.ts';
import { Payees } from '../payments/quotes/payees.ts';
import { Pricing } from '../payments/quotes/pricing.ts';
import { Quotes } from '../payments/quotes/quotes.ts';
import { Receivers } from '../payments/quotes/receivers.ts';
import { PacketWays } from '../payments/reach/packet-ways.ts';
import { WalletReach } from '../payments/reach/wallet-reach.ts';
import { RefundWorker } from '../payments/refunds/refund-worker.ts';
import { Refunds } from '../payments/refunds/refunds.ts';
import { PeerPackets } from '../peers/peer-packets.ts';
import type { Core } from '../platform/core.ts';
import type { OutboundBytes, OutboundHttp } from '../platform/outbound-http/outbound-http.ts';
import { aloneReplica, type OwnReplica } from '../platform/replicas/own-replica.ts';
import type { NodeSecrets } from '../platform/secrets/node-secrets.ts';
import { Seal } from '../platform/secrets/seal.ts';
import type { Config } from '../platform/settings/config.ts';
import { Printing, queueIssued } from '../printing/print-jobs.ts';
import { PrintWorker } from '../printing/print-worker.ts';
import type { ComputerPrinter } from '../printing/printer-lines.ts';
import { ReceiptKeys } from '../receipts/receipt-keys.ts';
import { Receipts } from '../receipts/receipts.ts';
import { WalletAddresses } from '../wallet-addresses/wallet-addresses.ts';
import { assemblePeering } from './peering.ts';
import { assemblePeers } from './peers.ts';
import { assembleRemoteWallets } from './remote-wallets.ts';

/** How long a quote is valid, in milliseconds (decisions.md#D-24). */
const QUOTE_LIFETIME_MS = 5 * 60_000;

interface Parts extends Core {
  secrets: NodeSecrets;
  /** The way to other wallets. */
  http: OutboundHttp;
  /** The way to peers. */
  peerHttp: OutboundBytes;
  config: Pick<Config, 'maxPacketAmount' | 'ilpAddress'>;
  /** This process among those that run the node. Without it there is only one. */
  replica?: OwnReplica;
  /** The printer of the computer. Only the desktop app has one. */
  printer?: ComputerPrinter | undefined;
}

/** Wires payments with the connector that carries them. It does not start the worker. */
export function assemblePayments(parts: Parts) {
  const { database, clock, log, urls, secrets, http, peerHttp, config, replica = aloneReplica() } = parts;
  const walletAddresses = new WalletAddresses({ database, urls, clock });
  const incomingPayments = new IncomingPayments({ database, clock });
  const clientUrl = async (walletAddressId: string) => {
    const walletAddress = await walletAddresses.byId(walletAddressId);
    return walletAddress && walletAddresses.urlOf(walletAddress);
  };
  const remoteWallets = assembleRemoteWallets({ database, clock, urls, secrets, http, holder: replica.id, clientUrl });
  const receivers = new Receivers({ database, urls, walletAddresses, remote: remoteWallets.incomingPayments, clock });

  // Without an address from a peer, the node's address is not globally routable. RFC 15 reserves the scheme `private`
  // for such addresses. The last part of the address differs between nodes.
  const nodeAddress = config.ilpAddress ?? `private.paydesk.${secrets.derive('ilp-address').toString('hex').slice(0, 16)}`;
  const streamReceivers = new StreamReceivers({ secret: secrets.stream, nodeAddress });
  const peers = assemblePeers({ database, clock, log, secrets, http: peerHttp, nodeAddress, hasOthers: () => replica.living > 1 });
  const rates = new Rates({ database, clock });
  const exchangeAccounts = new ExchangeAccounts({ database, clock });
  const seal = new Seal(secrets.derive('sent-packets'));
  const book = createPacketBook({ database, clock, seal });
  const forwarder = new PeerForwarder({ nodeAddress, routes: peers.directory, links: peers.links, book, clock, log });
  const prober = new Prober({ forwarder, clock });
  const pricing = new Pricing({ rates, exchangeAccounts, routes: peers.directory, prober });
  const quotes = new Quotes({ database, receivers, pricing, clock, lifetimeMs: QUOTE_LIFETIME_MS });
  const accept = createLocalAcceptance({ database, clock });
  const { maxPacketAmount } = config;
  const connector = new Connector({ forwarder, nodeAddress, receivers: streamReceivers, accept, clock, log, maxPacketAmount });
  const sender = new StreamSender({ connector, clock, log });
  const network = {
    credentials: streamReceivers.credentials.bind(streamReceivers),
    send: (task: SendTask) => sender.send(task),
  };
  const packets = new PeerPackets({
    ...{ nodeAddress, receivers: streamReceivers, directory: peers.directory, sightings: peers.sightings, database, clock, log },
    accept: createPeerAcceptance({ database, clock }),
    closed: createClosedCheck({ database, clock }),
    ...{ rates, maxPacketAmount },
    shares: () => replica.living,
  });
  const { directory, operator } = peers;
  const peering = assemblePeering({
    ...{ database, clock, log, urls, secrets, http, directory, operator, nodeAddress, replica, walletAddresses },
  });
  const remote = remoteWallets.incomingPayments;
  const held = new HeldPackets({ database, forwarder, remote, seal, clock });
  const plans = new SendingPlans({ forwarder, prober, rates, clock });
  const worker = new PaymentWorker({ database, network, walletAddresses, remote, held, plans, clock, log, holder: replica.id });
  const outgoingPayments = new OutgoingPayments({ database, quotes, receivers, clock, worker });
  const operatorPayments = new OperatorPayments({
    ...{ urls, clock, walletAddresses, incomingPayments, receivers, quotes, outgoingPayments },
    remote: remoteWallets,
  });
  const refundWorker = new RefundWorker({ database, clock, log, walletAddresses, operatorPayments, outgoingPayments, holder: replica.id });
  const ways = new PacketWays({ database, clock, forwarder, prober, rates, directory: peers.directory, registry: peers.operator.registry });
  const { directory: wallets, grants } = remoteWallets;
  const reach = new WalletReach({ clock, directory: wallets, grants, incomingPayments: remote, ways, pricing });
  const receipts = new Receipts({ database, clock, walletAddresses, keys: new ReceiptKeys(secrets), onIssued: queueIssued });
  return {
    walletAddresses,
    incomingPayments,
    reach,
    remoteWallets,
    receivers,
    payees: new Payees({ database, urls, walletAddresses, remote, directory: remoteWallets.directory }),
    rates,
    exchangeAccounts,
    quotes,
    outgoingPayments,
    operatorPayments,
    worker,
    refunds: new Refunds({ database, clock, walletAddresses, operatorPayments, onCreated: () => refundWorker.wake() }),
    refundWorker,
    unknownPayments: new UnknownPayments({ database, clock }),
    receipts,
    ...assemblePrinting(parts, receipts, replica.id),
    peers: { ...peers, ...peering, packets },
    credentials: network.credentials,
  };
}

/** Wires the receipt printer with the queue before it. @param holder the process that prints */
function assemblePrinting({ database, clock, log, urls, printer }: Parts, receipts: Receipts, holder: OwnReplica['id']) {
  const computer = printer && { printer, htmlOf: printedPage.bind(undefined, database.read) };
  const printWorker = new PrintWorker({ database, clock, log, urls, receipts, computer, holder });
  return { printWorker, printing: new Printing({ database, clock, receipts, onQueued: () => printWorker.wake() }) };
}

export type PaymentServices = ReturnType<typeof assemblePayments>;
