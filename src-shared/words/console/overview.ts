import { area } from '../language/language.ts';

export const overview = area('overview');
