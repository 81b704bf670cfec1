/** The page that asks for the passphrase of the node's keys, before the console can open. */
export const passphrase = {
  open: {
    title: 'Open paydesk',
    lead: 'Type the passphrase that protects the keys of this node.',
    button: 'Open',
  },
  choose: {
    title: 'Protect your keys',
    lead: 'This computer has no keychain that could keep the keys of your node. Choose a passphrase; paydesk asks for it at every start.',
    lost: 'Keep it somewhere safe: without it, or a backup and its passphrase, nobody can open this node again.',
    button: 'Protect and open',
  },
  label: 'Passphrase',
  again: 'The same passphrase again',
  tooShort: 'Use at least 12 characters.',
  different: 'The two are not the same.',
  wrong: 'That passphrase does not open the keys.',
  working: 'One moment …',
} as const;
