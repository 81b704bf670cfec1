/**
 * One secret is checked at a time, and seven more checks wait. Each takes 64 MiB and a fifth of a second, so few
 * strangers can wait for one.
 */
export const SECRET_CHECKS = { atOnce: 1, waiting: 7 } as const;
