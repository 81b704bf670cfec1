import { isId } from '../components/filters/search-params.ts';

/** What a link to the form says beforehand. */
interface RequestSearch {
  /** The id of the account that is to be paid. */
  account?: string | undefined;
}

/** Reads the link's values. It leaves out what is no such value. */
export const parseRequestSearch = ({ account }: Record<string, unknown>): RequestSearch => (isId(account) ? { account } : {});
