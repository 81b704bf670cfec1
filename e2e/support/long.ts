/** Whether the tests try everything, as `npm run soak` does. `npm test` tries less of what takes minutes. */
export const isLong = process.env.PAYDESK_TEST_LONG === '1';
