import { LANGUAGES } from '../catalogues/languages.ts';
import { area, extended } from '../language/language.ts';

const help = area('optionHelpWords');
const refusals = area('settingRefusals');

/** What `--help` prints around the commands and the options. */
export const helpWords = extended('helpWords', () => ({
  /** How the operator starts the headless node and its commands. */
  program: 'npm run headless --',
}));

/** What each command does. */
export const commandHelp = area('commandHelp');

/** What each option of a command is for. */
export const commandOptionHelp = area('commandOptionHelp');

/** What each option of the node is for. */
export const optionHelp = (logLevels: readonly string[]) => ({
  ...help,
  'log-level': help['log-level']({ levels: logLevels.join(', ') }),
  'message-language': help['message-language']({ languages: LANGUAGES.join(', ') }),
});

/** Why a command line, or a setting from the environment, is refused. */
export const settingRefusals = extended('settingRefusals', () => ({
  /** @param reason the parser's message, such as "Unknown option '--x'". */
  unreadable: (reason = refusals.notRead) => refusals.unreadable({ reason }),
}));
