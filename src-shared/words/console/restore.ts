import { area } from '../language/language.ts';

export const restore = area('restore');
