const ENGINES = ['sqlite', 'postgres'] as const;
const named = process.env.PAYDESK_TEST_ENGINE ?? '';

/** The engine on which the tests of this run store their rows. */
export const engine: (typeof ENGINES)[number] = ENGINES.find((one) => one === named) ?? 'sqlite';
if (named !== '' && named !== engine) throw new Error(`PAYDESK_TEST_ENGINE is one of ${ENGINES.join(', ')}`);
