/** What a link to the screen for paying may bring along. */
export interface PaySearch {
  /** Whom to pay: filled in, and looked up only when the operator says so. */
  to?: string | undefined;
  /** The account to pay from. */
  account?: string | undefined;
}

/** What cannot be one is left out. */
export const parsePaySearch = ({ to, account }: Record<string, unknown>): PaySearch => ({
  ...(typeof to === 'string' && to.length <= 2048 && { to }),
  ...(typeof account === 'string' && { account }),
});
