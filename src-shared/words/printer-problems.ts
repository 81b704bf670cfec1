import { area } from './language/language.ts';

/** Why a receipt printer prints nothing, and what the shop can do. */
export const printerProblems = area('printerProblems');
