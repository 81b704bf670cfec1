import { ORPCError } from '@orpc/client';

/** Whether the node has refused the passphrase of its lock, or looks at none for a while after wrong ones. */
export const isAboutPassphrase = (error: unknown): boolean =>
  error instanceof ORPCError && (error.code === 'WRONG_PASSPHRASE' || error.code === 'TOO_MANY_ATTEMPTS');
