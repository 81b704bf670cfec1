import { isId } from '../components/filters/search-params.ts';

interface TillSearch {
  /** The id of the sale that is shown. Without one, the till waits for an amount. */
  sale?: string | undefined;
}

/** Reads the address of the till. It leaves out what is no such value. */
export const parseTillSearch = ({ sale }: Record<string, unknown>): TillSearch => (isId(sale) ? { sale } : {});
