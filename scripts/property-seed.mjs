// @ts-check
import fc from 'fast-check';

// Property tests use the same values in every run. So a failure comes from the change, and not from other values.
// PAYDESK_TEST_SEED, any 32-bit number, chooses other values.
fc.configureGlobal({ seed: Number(process.env.PAYDESK_TEST_SEED ?? 20_261_122) });
