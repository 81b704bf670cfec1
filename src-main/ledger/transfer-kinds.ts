/**
 * The kind of a transfer that gives back from escrow to its payer what a payment has not spent. The stored word is
 * older than the refunds that the operator makes, and means none of them. It stays, because hashes cover stored
 * transfers (see audit/pieces.ts), and a row that is put into other words would look like one that somebody has
 * changed.
 */
export const GIVEN_BACK = 'refund' as const;

/** Why money moved. */
export type TransferKind = 'deposit' | 'withdrawal' | 'reservation' | typeof GIVEN_BACK | 'payment' | 'settlement';
