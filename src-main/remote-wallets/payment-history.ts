import type { z } from '../../src-shared/zod.ts';
import { startDeadline } from '../platform/outbound-http/deadline.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { HistoryPageDocument, HistoryPaymentDocument } from './documents.ts';
import type { RemoteWalletAddress } from './wallet-directory.ts';
import { gaveNoAnswer, type WalletAnswer, type WalletHttp } from './wallet-http.ts';

/** A payment as the wallet that made it describes it. Nothing in it is certain. */
export type HistoryPayment = z.infer<typeof HistoryPaymentDocument>;

/** Which payments are looked for. */
interface WantedHistory {
  walletAddress: RemoteWalletAddress;
  /** The own wallet address in whose name the node asks. */
  walletAddressId: string;
  token: string;
  /** The URLs of the incoming payment, under each origin of this node. Others, however alike, are other payments. */
  receivers: readonly string[];
  /** Nobody has paid it before that, in milliseconds since the Unix epoch. */
  since: number;
}

/** Why there is no answer to use. `refused`: the wallet says no. `unreachable`: there was no usable answer. */
type HistoryProblem = 'unreachable' | 'refused';

/** How many pages are read at most, and for how long altogether. The newest payments come first. */
export const MOST_PAGES = 20;
const READING_MS = 20_000;
/** How many payments a page has. When that is more than an answer may have of bytes, fewer are asked for. */
const SIZES = [20, 4, 1] as const;
/** Clocks of other wallets may differ by so much. */
const CLOCKS_MS = 24 * 3_600_000;

/** Reads which payments another wallet says it has made, as far as its owner allows that. */
export class PaymentHistory {
  readonly #http: Pick<WalletHttp, 'send'>;

  constructor(http: Pick<WalletHttp, 'send'>) {
    this.#http = http;
  }

  /** The payments to one of the receivers that have sent something and have not failed. Each is there once. */
  async paidTo(wanted: WantedHistory): Promise<Result<HistoryPayment[], HistoryProblem>> {
    const found = new Map<string, HistoryPayment>();
    const deadline = startDeadline(READING_MS);
    try {
      let cursor: string | undefined;
      const seen = new Set<string>();
      for (let pages = 0; pages < MOST_PAGES; pages += 1) {
        const page = await this.#page(wanted, cursor, deadline.signal);
        if (!page.ok) return page;
        const payments = page.value.result.flatMap((item) => HistoryPaymentDocument.safeParse(item).data ?? []);
        for (const payment of payments) if (isMeant(payment, wanted)) found.set(payment.id, payment);
        const next = page.value.pagination.hasNextPage ? page.value.pagination.endCursor : undefined;
        const isBefore =
          payments.length > 0 && payments.every(({ createdAt }) => createdAt !== undefined && createdAt < wanted.since - CLOCKS_MS);
        if (next === undefined || seen.has(next) || isBefore) break;
        seen.add(next);
        cursor = next;
      }
      return ok([...found.values()]);
    } finally {
      deadline.end();
    }
  }

  async #page(
    { walletAddress, walletAddressId, token }: WantedHistory,
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<Result<z.infer<typeof HistoryPageDocument>, HistoryProblem>> {
    for (const size of SIZES) {
      const query = new URLSearchParams({
        'wallet-address': walletAddress.id,
        first: String(size),
        ...(cursor !== undefined && { cursor }),
      });
      const url = `${walletAddress.resourceServer}/outgoing-payments?${query.toString()}`;
      const answer: WalletAnswer = await this.#http.send({ method: 'GET', url, token, walletAddressId, signal });
      if (!answer.ok && answer.error === 'too_large') continue;
      if (gaveNoAnswer(answer) || !answer.ok) return refuse('unreachable');
      if (answer.value.status !== 200) return refuse('refused');
      const page = HistoryPageDocument.safeParse(answer.value.body);
      return page.success ? ok(page.data) : refuse('unreachable');
    }
    return refuse('unreachable');
  }
}

/** Whether a payment is from that wallet address to one of the receivers, by the letter, and has sent something. */
function isMeant(payment: HistoryPayment, { walletAddress, receivers }: WantedHistory): boolean {
  const { id, receiver, failed, sentAmount } = payment;
  const isTheirs = id.startsWith(`${walletAddress.resourceServer}/`) && payment.walletAddress === walletAddress.id;
  return isTheirs && receivers.includes(receiver) && !failed && sentAmount.value > 0n;
}
