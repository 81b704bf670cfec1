/** Why the desktop app cannot start. */
export const problems = {
  noSuchCommand: 'The desktop app has no such command. Use npm run headless.',
  profileNotWritable: 'The folder of paydesk’s settings cannot be written. Is there room on the disk?',
  keychainKeepsNoKey: 'The keychain of this user keeps no key for paydesk. Unlock the keychain and start again.',
  keychainDoesNotOpen:
    'The keychain of this user does not open paydesk’s key. Unlock the keychain and start again; on another computer, restore a backup.',
} as const;
