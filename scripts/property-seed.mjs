// @ts-check
import fc from 'fast-check';

// Properties are tried with the same values in every run, so that what a change breaks is told from what chance finds.
// PAYDESK_TEST_SEED chooses others: any 32-bit number.
fc.configureGlobal({ seed: Number(process.env.PAYDESK_TEST_SEED ?? 20_261_122) });
