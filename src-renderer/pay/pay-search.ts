/** What a link to the screen for paying may contain. */
interface PaySearch {
  /** Whom to pay. The field is filled in, and looked up only when the operator says so. */
  to?: string | undefined;
  /** The account to pay from. */
  account?: string | undefined;
}

/** Reads the link's values. It leaves out what is no such value. */
export const parsePaySearch = ({ to, account }: Record<string, unknown>): PaySearch => ({
  ...(typeof to === 'string' && to.length <= 2048 && { to }),
  ...(typeof account === 'string' && { account }),
});
