/** What went wrong and what to do, by the code of a refused operation. */
const byCode: Readonly<Record<string, string>> = {
  NOT_FOUND: 'This is not there any more. Somebody may have changed it in another window.',
  NAME_TAKEN: 'You have an account with this wallet address name already. Choose another name.',
  TOO_LARGE: 'The balance would be larger than a balance can be. Record a smaller amount.',
  INSUFFICIENT_BALANCE: 'There is not that much in the account. Money set aside for payments under way cannot be withdrawn.',
  INVALID_KEY: 'This is no Ed25519 public key in JWK form. It begins with { and has "kty", "crv", "x" and "kid".',
  PRIVATE_KEY: 'This is a private key. Keep it with the app, tell nobody, and paste the public key here.',
  KEY_ID_TAKEN: 'A key with this id ("kid") exists already.',
  EXPIRED: 'This payment has expired and accepts no more money anyway.',
  INVALID_EXPIRY: 'This request would end before it begins. Choose a later end.',
  ENDED: 'This token was replaced or revoked before.',
  NOT_WAITING: 'This request has been decided or has lapsed. Nothing was changed.',
  CHANGED: 'This request changed since it was shown. Read it again before you decide.',
  LIMIT_NEEDED: 'Set an amount, or type the name of the account to allow any amount.',
  UNAUTHORIZED: 'This browser is not signed in to your node any more.',
  BAD_REQUEST: 'The node did not understand what was entered. Check the fields and try again.',
};

export const errors = {
  byCode,
  unreachable: 'The node did not answer. It is not known whether this was done; trying again repeats the same request and has one effect.',
  unexpected: 'Something went wrong in the node. Nothing was changed by halves; the log of the node says more.',
  notLoaded: 'The node did not answer. It is asked again as soon as it is back.',
} as const;
