import type { Asset } from '../../amounts.ts';
import { shellWord } from '../words.ts';

export const common = {
  product: 'paydesk',
  skipToContent: 'Skip to content',
  navigation: 'Sections',
  pages: {
    overview: 'Overview',
    getPaid: 'Get paid',
    payments: 'Payments',
    approvals: 'Approvals',
    apps: 'Connected apps',
    appsShort: 'Apps',
    accounts: 'Accounts',
    pay: 'Pay',
    peers: 'Peers',
    rates: 'Rates',
    reach: 'Who can pay me',
    health: 'Health',
    activity: 'Activity',
    settings: 'Settings',
  },
  groups: { access: 'Apps', money: 'Money', node: 'Node' },
  more: 'More',
  seeSettings: 'See Settings',
  title: (page: string, waiting: number) => `${waiting > 0 ? `(${waiting}) ` : ''}${page} · paydesk`,
  waiting: (count: number) => (count === 1 ? '1 waits for you' : `${count} wait for you`),
  version: (version: string, development: boolean) => `Version ${version}${development ? ', development' : ''}`,
  development: 'Development: http and loopback addresses of other wallets are accepted.',
  back: (to: string) => `Back to ${to.toLowerCase()}`,
  cancel: 'Cancel',
  close: 'Close',
  tryAgain: 'Try again',
  loadMore: 'Show more',
  loading: 'Loading',
  command: 'command',
  copy: 'Copy',
  copied: 'Copied',
  copyOf: (what: string) => `Copy ${what}`,
  showAll: 'Show all of it',
  showPassword: 'Show what is typed',
  none: '—',
  amount: {
    invalid: ({ assetCode, assetScale }: Asset) =>
      assetScale === 0
        ? `Enter a whole number of ${assetCode}, such as 100.`
        : `Enter an amount such as ${(100).toFixed(Math.min(assetScale, 2))} in ${assetCode}, with at most ${assetScale} decimal places.`,
    ambiguous: (whole: string, decimal?: string) =>
      `This can be read in two ways. ${decimal === undefined ? `Write ${whole} if you mean that.` : `Write ${whole} or ${decimal}.`}`,
    notANumber: 'Enter a number such as 100 or 12.50.',
    tooLarge: 'This is more than a balance can be.',
  },
  connection: {
    lost: 'The connection to your node is lost.',
    lostAdvice:
      'What you see may be out of date. This page keeps trying. As long as paydesk runs, payments go on without this page; if it has stopped, start it again.',
  },
  notFound: {
    title: 'There is nothing at this address',
    advice: 'The link may be old, or a part of it is missing.',
    action: 'Go to the overview',
  },
  failed: {
    title: 'This could not be loaded',
    crashed: 'This part of the console has stopped',
    crashedAdvice: 'Your node and your payments are not affected. Try again; if it happens again, reload the page.',
  },
  session: {
    opening: 'Opening the console…',
    refusedTitle: 'This link has been used or is too old',
    refusedAdvice: 'A console link works once, and for ten minutes. Make a new one with this command on the computer where paydesk runs:',
    noneTitle: 'Open the console with a link',
    noneAdvice:
      'This browser is not signed in to your node. Make a link with this command on the computer where paydesk runs, and open it here:',
    command: (folder: string) => `npm run console-link -- --data-dir ${shellWord(folder)}`,
    already: 'If this browser was signed in before, go on without the link.',
    goOn: 'Go on',
  },
} as const;
