import { area } from '../language/language.ts';

export const accounts = area('accounts');
