import { area } from '../language/language.ts';

/** The icon of the desktop app beside the system's clock, and its menu. */
export const tray = area('tray');
