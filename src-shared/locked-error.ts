/**
 * The error of every operation that needs an unlocked console, on every transport, while the console is locked.
 * Receiving money and payments of approved apps go on meanwhile, because they do not use this contract.
 */
export const LOCKED = { code: 'LOCKED', status: 423, message: 'The console is locked. Unlock it with its passphrase.' } as const;
