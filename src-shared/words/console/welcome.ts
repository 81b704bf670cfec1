import type { NodeInfo } from '../../operator-contract/node.ts';
import { shellWord } from '../words.ts';

export const welcome = {
  title: 'Welcome to paydesk',
  lead: 'Create your first account. It gets a wallet address that payers and apps use to pay you.',
  recordsMoney:
    'paydesk records money, it does not hold it: a balance is your own book of what an account may spend, and money itself moves where you settle with others.',
  publicName: 'Name shown to payers',
  publicNameHint: 'Your shop or your own name',
  publicNameNeeded: 'Enter the name payers will see.',
  addressName: 'Wallet address name',
  addressNameHint: 'Lower-case letters, digits and hyphens. It cannot be changed later.',
  addressNameInvalid: 'Use 1 to 64 lower-case letters, digits and hyphens.',
  addressNameReserved: (name: string) => `“${name}” has another meaning on this node. Choose another name.`,
  addressPreview: 'Your wallet address will be',
  currency: 'Currency',
  currencyHint: 'An account has one currency for good; you can add accounts in others.',
  currencyPlaceholder: 'Search by code or name',
  currencyNeeded: 'Choose a currency.',
  currencyNone: 'No such currency; choose “Other”',
  other: 'Other…',
  ownCode: 'Code',
  ownCodeHint: '2 to 12 capital letters or digits',
  ownCodeInvalid: 'Use 2 to 12 capital letters or digits.',
  ownScale: 'Decimal places',
  ownScaleHint: '0 to 18',
  ownScaleInvalid: 'Enter a whole number from 0 to 18.',
  openingBalance: 'Opening balance',
  currencyFirst: 'Choose a currency first',
  openingBalanceHint: 'What the account may spend from the start. It is recorded as a first deposit.',
  create: 'Create account',
  createFirst: 'Create account and wallet address',
  haveBackup: 'You have a backup of another node, or of this one?',
  restore: 'Restore from a backup',
  ready: 'Your account is ready',
  readyLead: (name: string) => `${name} has a wallet address. Give it to payers and apps, or let them scan the code.`,
  onlyHere: 'Only this computer can reach your node',
  onlyHereAdvice:
    'Apps on this computer can pay and be paid. To let others reach it, start paydesk with the address under which they find this computer:',
  onlyHereCommand: (host: NodeInfo['host'], folder: string) =>
    `${host === 'desktop' ? 'npm start' : 'npm run headless'} -- --data-dir ${shellWord(folder)} --public-url https://pay.your-shop.example`,
  next: 'What to do next',
  /** The step about peers: what to do while there is none, and what is so once there is one. */
  peers: {
    missing: {
      title: 'Let other wallets pay you',
      words: 'Money from other nodes comes over a peer: somebody with such a node, whom you trust for an amount. Add one under Peers.',
    },
    there: {
      title: 'Other wallets can pay you',
      words: 'Money from other nodes comes over your peer. How much it may owe you stands under Peers.',
    },
  },
  steps: [
    {
      title: 'Let an app use your wallet address',
      words: 'Apps that speak Open Payments ask you before they spend. Their requests appear under Approvals.',
    },
    { title: 'Watch money arrive', words: 'Every payment appears by itself under Payments, while it is still on its way.' },
    { title: 'Put money in the account', words: 'Record a deposit under Accounts, so that the account has something to spend.' },
  ],
  toOverview: 'Go to the overview',
} as const;
