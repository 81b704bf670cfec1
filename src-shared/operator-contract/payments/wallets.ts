import { REACH_PROBLEMS } from '../../attempt-failures.ts';
import { managers, readers } from '../../people/roles.ts';
import { z } from '../../zod.ts';
import { operatorErrors as texts } from '../error-messages.ts';
import { OutsideObstacle } from '../health-checks.ts';
import { reads } from '../operation.ts';
import { AmountValue, ForeignAmount, ForeignAsset, Id } from '../values.ts';

/** One step that a payment between this node and a wallet elsewhere takes, and whether it can be taken. */
export const WalletCheckLine = z.object({
  /**
   * `answers`: there is a wallet at the address. `speaks`: it speaks the API and knows this node's key. `way_out` and
   * `way_back`: packets find their way there, and from there. `amount`: something arrives of ten whole units.
   */
  step: z.enum(['answers', 'speaks', 'way_out', 'way_back', 'amount']),
  /** `unknown`: nobody can know it before a payment. `not_tried`: an earlier step is missing. */
  state: z.enum(['good', 'missing', 'unknown', 'not_tried']),
  /** Why the step is missing; null otherwise. */
  problem: z.enum(REACH_PROBLEMS).nullable(),
  /** The ILP code with which somebody on the way rejected a packet; null when nobody did. */
  code: z.string().nullable(),
});
export type WalletCheckLine = z.infer<typeof WalletCheckLine>;

export const WalletCheck = z.object({
  /** The wallet address as the wallet itself writes it; null when none was found. */
  walletAddress: z.url().nullable(),
  /** What the wallet calls itself. */
  name: z.string().nullable(),
  asset: ForeignAsset.nullable(),
  /** Whether it is an account of this node. Then nothing is missing, and there are no lines. */
  own: z.boolean(),
  lines: z.array(WalletCheckLine),
  /** What roughly arrives there of ten whole units from the account; null when a step is missing. */
  example: z.object({ sent: AmountValue, arrives: ForeignAmount }).nullable(),
});
export type WalletCheck = z.infer<typeof WalletCheck>;

/** Wallets elsewhere: whom this node can pay, and who can pay it. */
export const wallets = {
  /**
   * Looks whether an account can pay a wallet elsewhere and be paid by it, and moves no money. The other wallet is
   * asked for an incoming payment that lives for five minutes and that nobody pays.
   */
  check: reads(managers, 'Looks whether an account can pay a wallet elsewhere and be paid by it, step by step. It moves no money.')
    .route({ method: 'POST', path: '/wallets/check' })
    .input(z.object({ accountId: Id, wallet: z.string().trim().min(1).max(2048) }))
    .errors({ NOT_FOUND: { status: 404, message: texts.noSuchAccount } })
    .output(WalletCheck),
  /** Whether wallets elsewhere can pay this node, as far as it knows by itself. */
  outside: reads(readers, 'Whether wallets elsewhere can pay this node, and when the first one did.')
    .route({ method: 'GET', path: '/wallets/outside' })
    .output(
      z.object({
        /** What is missing on this side; null when nothing is. */
        missing: OutsideObstacle.nullable(),
        /** The last time that somebody from outside paid, to within a minute; null when nobody did. */
        lastPaidAt: z.date().nullable(),
      }),
    ),
};
