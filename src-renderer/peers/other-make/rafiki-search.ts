/** What a link to the screen may contain. */
interface RafikiSearch {
  /** The peer that was added here. Without it the operator adds one. */
  peer?: string | undefined;
}

/** Reads the link's values. It leaves out what is no such value. */
export const parseRafikiSearch = ({ peer }: Record<string, unknown>): RafikiSearch => ({
  ...(typeof peer === 'string' && peer.length <= 100 && { peer }),
});
