import { area } from '../language/language.ts';
export const pay = area('pay');
