import { strong, type Words } from '../words.ts';

/** How a grant request has ended, for the person who has its interaction page open. */
const done = {
  approved: { title: 'Approved', words: 'The app can continue. You can close this page.' },
  issued: { title: 'Done', words: 'The app has what it asked for. You can close this page.' },
  denied: { title: 'Not approved', words: 'The operator of this wallet said no. You can close this page.' },
  lapsed: { title: 'Too late', words: 'Nobody decided in time. Go back to the app and ask again.' },
  revoked: { title: 'Withdrawn', words: 'The app has withdrawn its request. You can close this page.' },
} as const;

/**
 * What a person reads on the interaction page of a grant request. A strong piece is a stranger's text or a moment.
 */
export const interactionWords = {
  done,
  title: 'Approve in paydesk',
  heading: 'Approve this request in paydesk',
  asks: (host: string): Words => [strong(host), ' asks for permission.'],
  callsItself: (name: string): Words => [' It calls itself “', strong(name), '”.'],
  typeCode: 'Open paydesk, look at what it asks for, and type this code there:',
  lapses: (moment: string): Words => [
    'This page continues by itself as soon as the operator has decided. The request lapses at ',
    strong(moment),
    '.',
  ],
  notYou: 'If you did not ask for anything, close this page.',
  crowded: {
    title: 'Too many requests',
    heading: 'Too many requests wait for a decision',
    words: 'Load this page again in a minute.',
  },
  unknown: {
    title: 'Not found',
    heading: 'There is no such request',
    words: 'Go back to the app and ask again.',
  },
} as const;
