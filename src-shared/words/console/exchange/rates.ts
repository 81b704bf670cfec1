import { area } from '../../language/language.ts';
export const rates = area('rates');
