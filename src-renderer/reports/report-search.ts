/** What a link to the reports may contain. */
interface ReportSearch {
  /** The account whose report is wanted. */
  account?: string | undefined;
}

/** Reads the link's values. It leaves out what is no such value. */
export const parseReportSearch = ({ account }: Record<string, unknown>): ReportSearch =>
  typeof account === 'string' && account.length <= 64 ? { account } : {};
