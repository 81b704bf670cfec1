import { area } from '../../language/language.ts';

export const rafiki = area('rafiki');
