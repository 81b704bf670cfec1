/** What a link to the screen may contain. */
interface ReachSearch {
  /** The wallet to look at. The field is filled in, and looked up only when the operator says so. */
  wallet?: string | undefined;
}

/** Reads the link's values. It leaves out what is no such value. */
export const parseReachSearch = ({ wallet }: Record<string, unknown>): ReachSearch => ({
  ...(typeof wallet === 'string' && wallet.length <= 2048 && { wallet }),
});
