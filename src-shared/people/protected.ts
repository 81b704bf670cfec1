/** What may need a second person: `money` is payments and refunds, `approvals` are clients' grant requests. */
export const PROTECTED = ['money', 'approvals'] as const;
export type Protected = (typeof PROTECTED)[number];
