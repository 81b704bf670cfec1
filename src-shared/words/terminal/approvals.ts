import { area } from '../language/language.ts';

/** What the commands `approvals`, `approve` and `deny` print beside the words of the request itself. */
export const approvalWords = area('approvalWords');
