/** What a link to the statements may contain. */
interface StatementSearch {
  /** The account whose statement is wanted. */
  account?: string | undefined;
}

/** Reads the link's values. It leaves out what is no such value. */
export const parseStatementSearch = ({ account }: Record<string, unknown>): StatementSearch =>
  typeof account === 'string' && account.length <= 64 ? { account } : {};
