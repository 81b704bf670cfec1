import { area } from '../language/language.ts';
/** The message boxes and file dialogs of the desktop app. */
export const dialogs = area('dialogs');
