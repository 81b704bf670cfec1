/**
 * What every operation that needs an unlocked console answers while it is locked, on every transport. Receiving and
 * payments of approved apps go on meanwhile: they do not come through this contract.
 */
export const LOCKED = { code: 'LOCKED', status: 423, message: 'The console is locked. Unlock it with its passphrase.' } as const;
