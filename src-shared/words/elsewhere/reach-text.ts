import { area } from '../language/language.ts';

/** Why a wallet elsewhere cannot pay or be paid, as the operator reads it, and what the operator can do. */
export const reachText = area('reachText');
