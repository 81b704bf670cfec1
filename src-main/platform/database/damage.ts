import { isDamageAtServer } from './postgres/errors.ts';
import { isDamage as isDamagedFile } from './sqlite-errors.ts';

/** Tells whether the error means that a part of the books cannot be read, whichever engine has them. */
export const isDamage = (error: unknown): boolean => isDamagedFile(error) || isDamageAtServer(error);
