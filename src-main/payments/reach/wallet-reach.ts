import { type Amount, MAX_MOVED } from '../../../src-shared/amounts.ts';
import type { ReachProblem } from '../../../src-shared/attempt-failures.ts';
import type { OnBehalf } from '../../platform/outbound-http/outbound-http.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import type { GrantProblem, RemoteGrants } from '../../remote-wallets/remote-grants.ts';
import { CREATE, type RemoteIncomingPayments } from '../../remote-wallets/remote-incoming-payments.ts';
import type { DiscoveryProblem, RemoteWalletAddress, WalletDirectory } from '../../remote-wallets/wallet-directory.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import type { Pricing } from '../quotes/pricing.ts';
import type { RemoteReceiver } from '../quotes/receivers.ts';
import type { PacketWays, WayBack } from './packet-ways.ts';

/** The life of the incoming payment for which the node asks the other wallet. Nobody pays it. */
const ASKED_MS = 5 * 60_000;
/** How long the example may take to be priced. */
const PRICE_MS = 4_500;
/** How long the whole answer to {@link WalletReach.whyNoPrice} may take. A visitor waits for it. */
const VISITOR_MS = 8_000;

/** One line of a report: a step that a payment takes, and whether it can be taken. */
interface ReportLine {
  readonly step: 'answers' | 'speaks' | 'way_out' | 'way_back' | 'amount';
  /** `unknown`: nobody can know it before a payment. `not_tried`: an earlier step is missing. */
  readonly state: 'good' | 'missing' | 'unknown' | 'not_tried';
  readonly problem?: ReachProblem;
  /** The ILP code of a rejection on the way. */
  readonly code?: string | undefined;
}

/** What the node could find out about a wallet without moving money. */
export interface WalletReport {
  /** It is undefined when no wallet was found. */
  readonly wallet?: RemoteWalletAddress;
  readonly lines: readonly ReportLine[];
  /** The example: about what arrives there of ten whole units of the account's currency. */
  readonly example?: { readonly sent: Amount; readonly arrives: Amount };
}

interface Parts {
  clock: { now(): number };
  directory: Pick<WalletDirectory, 'find'>;
  grants: Pick<RemoteGrants, 'check'>;
  incomingPayments: Pick<RemoteIncomingPayments, 'create'>;
  ways: Pick<PacketWays, 'out' | 'back' | 'anyBack'>;
  pricing: Pick<Pricing, 'price'>;
}

/**
 * Finds out whether this node can pay a wallet elsewhere, and be paid by it (decisions.md#D-154). No money moves: the
 * node asks the other wallet for an incoming payment that nobody pays, and nobody can fulfil the packets that go there.
 */
export class WalletReach {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Looks at everything, step by step, until one is missing. @param account the own account that would pay. */
  async report(text: string, account: WalletAddress): Promise<Result<WalletReport, 'own_wallet'>> {
    const behalf: OnBehalf = { pool: 'money' };
    const found = await this.#parts.directory.find(text, behalf);
    if (!found.ok) {
      if (found.error === 'own_wallet_address') return refuse('own_wallet');
      return ok({ lines: linesOf({ step: 'answers', problem: FOUND[found.error] }) });
    }
    const wallet = found.value;
    const spoken = await this.#speak(wallet, account, behalf);
    if (!spoken.ok) return ok({ wallet, lines: linesOf({ step: 'speaks', problem: spoken.error }, await this.#backToNowhere()) });
    const receiver = spoken.value;
    const out = await this.#parts.ways.out(receiver, account);
    const back = await this.#parts.ways.back(receiver, account);
    if (!out.ok) return ok({ wallet, lines: linesOf({ step: 'way_out', ...out.error }, back) });
    const example = await this.#example(receiver, account);
    if (!example.ok) return ok({ wallet, lines: linesOf({ step: 'amount', problem: example.error }, back) });
    return ok({ wallet, lines: linesOf(undefined, back), example: example.value });
  }

  /**
   * Tells why no wallet elsewhere can pay an account now, as far as this node alone knows it.
   * @returns undefined when nothing of this node's own is in the way.
   */
  async anyBack(): ReturnType<PacketWays['anyBack']> {
    return await this.#parts.ways.anyBack();
  }

  /**
   * Tells why a wallet gave no price for a payment to an account of this node, as far as that can be found out. It
   * takes at most eight seconds.
   */
  async whyNoPrice(wallet: RemoteWalletAddress, account: WalletAddress, behalf: OnBehalf): Promise<ReachProblem> {
    const { promise: late, resolve } = Promise.withResolvers<ReachProblem>();
    const timer = setTimeout(() => resolve('wallet_refused'), VISITOR_MS);
    const why = await Promise.race([this.#whyNoPrice(wallet, account, behalf), late]);
    clearTimeout(timer);
    return why;
  }

  async #whyNoPrice(wallet: RemoteWalletAddress, account: WalletAddress, behalf: OnBehalf): Promise<ReachProblem> {
    const spoken = await this.#speak(wallet, account, behalf);
    if (!spoken.ok) return spoken.error;
    const back = await this.#parts.ways.back(spoken.value, account);
    if (back.state === 'missing') return back.problem;
    const out = await this.#parts.ways.out(spoken.value, account);
    return out.ok ? 'wallet_refused' : out.error.problem;
  }

  /** Lets the other wallet make an incoming payment, which shows that it speaks the API and knows this node's key. */
  async #speak(
    walletAddress: RemoteWalletAddress,
    account: WalletAddress,
    behalf: OnBehalf,
  ): Promise<Result<RemoteReceiver, ReachProblem>> {
    const { clock, grants, incomingPayments } = this.#parts;
    const { authServer, resourceServer } = walletAddress;
    const resource = `${resourceServer}/incoming-payments`;
    const granted = await grants.check({ authServer, walletAddressId: account.id, right: CREATE, resource, behalf });
    if (!granted.ok) return refuse(GRANTED[granted.error]);
    const made = await incomingPayments.create({ walletAddress, expiresAt: clock.now() + ASKED_MS, behalf }, account.id);
    if (!made.ok) return refuse(made.error === 'receiver_refused' ? 'wallet_refused' : 'wallet_unreachable');
    const { url, asset, received, method } = made.value;
    return method === undefined ? refuse('wallet_refused') : ok({ kind: 'remote', url, asset, received, ...method });
  }

  async #example(receiver: RemoteReceiver, account: WalletAddress): Promise<Result<NonNullable<WalletReport['example']>, ReachProblem>> {
    const { assetCode, assetScale } = account;
    const ten = 10n ** BigInt(assetScale + 1);
    const sent = { value: ten < MAX_MOVED ? ten : MAX_MOVED, assetCode, assetScale };
    const deadlineMs = this.#parts.clock.now() + PRICE_MS;
    const priced = await this.#parts.pricing.price({ payer: account, receiver, debitAmount: sent, deadlineMs });
    if (priced.ok) return ok({ sent, arrives: { ...receiver.asset, value: priced.value.price.receiveAmount } });
    switch (priced.error.code) {
      case 'too_small':
        return refuse('too_small');
      case 'no_rate':
      case 'rate_stale':
      case 'no_liquidity':
        return refuse('no_rate');
      default:
        return refuse('packet_refused');
    }
  }

  /** The node's knowledge of the way back where the wallet names no address for packets. */
  async #backToNowhere(): Promise<WayBack> {
    const problem = await this.#parts.ways.anyBack();
    return problem === undefined ? { state: 'unknown' } : { state: 'missing', problem };
  }
}

const ORDER = ['answers', 'speaks', 'way_out', 'amount'] as const;

/** The lines of a report: good before the step that is missing, not tried after it, and the way back beside them. */
function linesOf(
  missing: { step: (typeof ORDER)[number]; problem: ReachProblem; code?: string | undefined } | undefined,
  back?: WayBack,
): ReportLine[] {
  const at = missing === undefined ? ORDER.length : ORDER.indexOf(missing.step);
  const lines = ORDER.map((step, index): ReportLine => {
    if (missing !== undefined && index === at) return { ...missing, state: 'missing' };
    return { step, state: index < at ? 'good' : 'not_tried' };
  });
  const [answers, speaks, out, amount] = lines;
  const wayBack: ReportLine =
    back?.state === 'missing'
      ? { step: 'way_back', state: 'missing', problem: back.problem }
      : { step: 'way_back', state: back?.state ?? 'not_tried' };
  return [answers, speaks, out, wayBack, amount].filter((line) => line !== undefined);
}

/** The names of the failures to find a wallet. */
export const FOUND = {
  not_a_wallet_address: 'wallet_not_found',
  wallet_not_resolved: 'wallet_not_resolved',
  wallet_not_secure: 'wallet_not_secure',
  wallet_other_protocol: 'wallet_other_protocol',
  wallet_unreachable: 'wallet_unreachable',
} as const satisfies Record<Exclude<DiscoveryProblem, 'own_wallet_address'>, ReachProblem>;

const GRANTED = {
  refused: 'grant_refused',
  unknown_key: 'key_unknown',
  unreachable: 'auth_unreachable',
  timed_out: 'auth_unreachable',
  busy: 'auth_unreachable',
} as const satisfies Record<GrantProblem, ReachProblem>;
