import { area } from '../language/language.ts';
export const palette = area('palette');
