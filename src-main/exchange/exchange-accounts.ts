import { type Amount, type Asset, assetKey } from '../../src-shared/amounts.ts';
import { appendEvent } from '../journal/events.ts';
import { accountId, exchangeFunds, type OnceRefusal, spendableIn, transferOnce } from '../ledger/ledger.ts';
import type { Core } from '../platform/core.ts';
import { catchRefusal, ok, Refused, type Result, refuse } from '../platform/result.ts';

/** Money that the operator puts into, or takes out of, an exchange account. */
interface FundsMovement {
  /** The caller makes one id for each movement. A repetition with the same id changes nothing. */
  id: string;
  kind: 'deposit' | 'withdrawal';
  asset: Asset;
  /** The amount in smallest units, 1 to 2^63−1. */
  amount: bigint;
  note: string;
}

/** `unknown_asset`: this node has no account and no peer in that asset. */
type FundsProblem = 'unknown_asset' | OnceRefusal;

/**
 * What the node trades with: one ledger account for each asset. A payment between currencies brings the payer's asset
 * into one and pays the payee out of another. What is held for payments under way can be neither held again nor
 * withdrawn.
 */
export class ExchangeAccounts {
  readonly #parts: Pick<Core, 'database' | 'clock'>;

  constructor(parts: Pick<Core, 'database' | 'clock'>) {
    this.#parts = parts;
  }

  /** What payments can use now, for each asset, ordered by asset. */
  async list(): Promise<Amount[]> {
    return await exchangeFunds(this.#parts.database.read);
  }

  /** What payments can use now, in smallest units. It is 0 when this node has no account and no peer in that asset. */
  async available(asset: Asset): Promise<bigint> {
    return (await spendableIn(this.#parts.database.read, exchangeAccount(asset))) ?? 0n;
  }

  /** Moves money into or out of an exchange account. @returns what payments can use after it. */
  async move({ id, kind, asset, amount, note }: FundsMovement): Promise<Result<Amount, FundsProblem>> {
    const at = this.#parts.clock.now();
    const [external, exchange] = [accountId('external', assetKey(asset)), exchangeAccount(asset)];
    const [debit, credit] = kind === 'deposit' ? [external, exchange] : [exchange, external];
    const { assetCode, assetScale } = asset;
    return await catchRefusal(
      this.#parts.database.write(async (tx): Promise<Result<Amount, FundsProblem>> => {
        if ((await spendableIn(tx, exchange)) === undefined) return refuse('unknown_asset');
        const moved = await transferOnce(tx, { id, kind, debit, credit, amount, note, at });
        if (!moved.ok) throw new Refused(moved.error);
        if (moved.value) {
          await appendEvent(tx, {
            type: kind === 'deposit' ? 'exchange.funded' : 'exchange.withdrawn',
            subject: assetKey(asset),
            body: { amount: amount.toString(), assetCode, assetScale: String(assetScale), note },
            at,
          });
        }
        return ok({ assetCode, assetScale, value: (await spendableIn(tx, exchange)) ?? 0n });
      }),
    );
  }
}

/** The id of the exchange account of an asset. */
export const exchangeAccount = (asset: Asset): string => accountId('exchange', assetKey(asset));
