/** The message boxes and file dialogs of the desktop app. */
export const dialogs = {
  title: 'paydesk',
  saveTitle: 'Save from paydesk',
  quit: {
    message: (underWay: number) => `${underWay === 1 ? 'A payment is' : `${underWay} payments are`} under way. Quit all the same?`,
    detail: 'No money is lost either way. Unfinished payments continue when paydesk starts again.',
    wait: 'Wait until they are done, then quit',
    anyway: 'Quit anyway: they continue at the next start',
    stay: 'Do not quit',
  },
  outside: {
    message: (host: string) => `Open a page of ${host}?`,
    detail: 'Your browser shows it. It is not a page of paydesk: paydesk does not know what it asks for.',
    open: 'Open it',
    stay: 'Stay here',
  },
  keepsBreaking: {
    message: 'The window keeps breaking.',
    detail:
      'Your node and its payments go on. If opening the window again does not help, quit paydesk with its icon beside the clock and start it again.',
    openAgain: 'Open it again',
    leaveClosed: 'Leave it closed',
  },
  cannotGoOn: {
    title: 'paydesk cannot go on',
    unexpected: 'paydesk met an error that it did not expect. The error is written on standard error.',
  },
} as const;
