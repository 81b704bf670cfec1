/** `spreadsheet`: CSV for people, in their language. `csv`: CSV for scripts (RFC 4180). */
export const REPORT_FORMATS = ['spreadsheet', 'csv'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];
