/**
 * What the errors of the operator API say to scripts and on the terminal. The console has words of its own for them, in
 * `console/errors.ts`.
 */
export const operatorErrors = {
  noSuchAccount: 'There is no such account.',
  requestIdTaken: 'This requestId stands for another movement of money. Make a new one for each intention.',
  nameTaken: 'An account with this name exists already.',
  balanceTooLarge: 'The balance would be larger than this node can hold.',
  insufficientBalance: 'There is not that much in the account.',
  accountDamaged: 'The books of this account are damaged, so no new money moves on it. See the health of the node.',
  invalidKey: 'This is no Ed25519 public key in JWK form.',
  privateKey: 'This is a private key. Keep it with the app and paste the public one.',
  keyIdTaken: 'A key with this id exists already.',

  noSuchPerson: 'There is no such person.',
  tooManyPeople: 'There are 100 people. Remove those who no longer work here.',
  notInBrowser: 'Only a person who is signed in at the console in a browser can do this.',
  noPasskeysHere: 'Browsers make no passkey at a numeric address. Open the console at localhost or at its name.',
  tooManyPasskeys: 'You have 20 passkeys. Remove one first.',
  passkeyRefused: 'The passkey was not accepted. Begin again.',
  beginAgain: 'This has taken too long, or it was begun elsewhere. Begin again.',
  wrongAppCode: 'The code does not fit. Type the six digits that the app shows now.',
  signInNameTaken: 'Somebody else signs in with this name. Choose another one.',
  noPassword: 'You have no password.',
  lastOwner: 'The last owner cannot be removed and stays an owner. Make somebody else an owner first, who signs in once.',

  noSuchApiKey: 'There is no such key.',
  tooManyApiKeys: 'There are 100 keys. Remove those that nobody uses.',
  apiKeyEndPast: 'The end of a key must lie in the future.',

  noSuchClosing: 'There is no such day closing.',
  closedMeanwhile: 'Somebody else has closed the day. Look at what has moved since then.',
  noPicture: 'This is no PNG, JPEG or WebP picture, or it is larger than 100 kB.',

  requestGone: 'This request is not there any more.',
  requestNotWaiting: 'This request has been decided or has lapsed.',
  requestChanged: 'This request changed since it was shown. Read it again before you decide.',
  wrongCode: 'That is not the code on the page.',
  limitNeeded: 'Set an amount, or type the name of the account to allow any amount.',
  nothingToLimit: 'The request has no such amount that could be lowered.',
  permissionEndPast: 'The end of a permission must lie in the future.',
  noSuchGrant: 'There is no such grant.',
  noSuchToken: 'There is no such token.',
  tokenEnded: 'This token was replaced or revoked before.',
  noTrustChoice: 'An account of this node is always trusted, and a client that is known only by its key never is.',
  grantNotFrozen: 'This grant is not frozen.',

  billInvalid: 'A bill comes to more than nothing, and to no more than this node can hold.',
  billDiffers: 'The bill does not come to this amount. Count it again.',
  paymentRequestEndPast: 'The request would end before it begins.',
  noSuchPaymentRequest: 'There is no such payment request.',

  payeeUnknown: 'This is no wallet address and no payment link, or nothing is there.',
  payeeUnreachable: 'The other wallet does not answer.',
  payeeRefused: 'The other wallet does not let this node pay.',
  payeeBusy: 'The other wallet is being asked too much. Try again in a moment.',
  payeeClosed: 'It has been paid or has expired and takes no more money.',
  amountNeeded: 'It asks for no amount of its own: say how much.',
  amountRefused: 'This is not an amount that can be paid, or more than the payee takes.',
  amountTooSmall: 'So little would arrive as nothing.',
  noRate: 'There is no rate between the two currencies.',
  rateStale: 'The rate between the two currencies is too old.',
  noLiquidity: 'This node has not enough of the other currency to exchange.',
  noRoute: 'No peer leads to the other wallet.',
  routeUnreachable: 'The way to the other wallet does not answer.',
  quoteEnded: 'The quote has expired or was used. Ask for a new one.',

  noSuchPayment: 'There is no such payment.',
  paymentNotUnknown: 'What became of this payment is known, or still being found out. There is nothing to decide.',
  paymentExpired: 'This payment has expired and accepts no more money anyway.',

  payerUnknown: 'It is not proven who paid this. When several paid, name one of them.',
  refundTooMuch: 'This is more than came from the payer, less what was refunded or still may be.',

  unknownCurrency: 'No account or peer has this currency.',
  sameCurrency: 'A rate is between two currencies.',
  noSuchRate: 'There is no such rate.',
  noSuchFee: 'This pair costs no fee.',
  jumpChanged: 'Another rate is refused by now, or none. Read it again before you decide.',
  noSuchRateSource: 'There is no such source of rates.',
  tooManyRateSources: 'There are 20 sources already. Remove one first.',
  exchangeAccountTooLow: 'There is not that much in it.',

  noSuchPeer: 'There is no such peer.',
  invalidPeerEndpoint: 'Its address must begin with https:// and lie on the public internet.',
  peerAddressTaken: 'Another peer with this currency has this address already.',
  ownIlpAddress: 'An ILP address or route is that of this node itself.',
  peerTokenTaken: 'Another peer sends this token already. Give each its own.',
  peerAddedBefore: 'This peer was added before, and its token has changed since. Renew it to see a new one.',
  peerNotSettled: 'Something is still owed or under way. Settle it first, or pause the peer.',
  peerPastCredit: 'After this it would owe more than its credit limit. Raise the limit first, if this was paid.',

  invitationNotOpen: 'This invitation was used or taken back before, or there is no such invitation.',
  invitationMadeBefore: 'This invitation was made before, and its code cannot be shown any more. Make another one.',
  invitationProblem: 'The invitation leads to no peer now. The data of this error say why.',
  tokensByHand: 'This peer does not renew tokens by itself. Renew them by hand.',
  tokensUnderWay: 'The peer does not answer. The present tokens stay valid, and the node goes on by itself.',

  noBackupFolder: 'There is no such folder on the computer of the node, or paydesk may not write there.',
  noRoomForBackup: 'The disk of this folder has less room than the backup needs: as much as the database takes.',
  backupBusy: 'A backup is being made already.',
  backupBooksDamaged: 'The books are damaged, and a backup would hold the damage. See the health of the node.',
  backupNotMade: 'The backup could not be written and verified. Is there room on the disk?',

  uploadGone: 'This backup is not there any more. Choose the file once more.',
  noRoom: 'There is not enough room on the disk of the node.',
  otherBackupBeingOpened: 'Another backup is being opened just now.',
  partsOutOfOrder: 'The parts of a file come one after the other.',
  uploadUnfinished: 'Not all of the file has come yet.',
  backupBeingOpened: 'It is being opened already.',
  noBackup: 'This file is no backup of paydesk.',
  backupNotOpened: 'The passphrase does not open this backup, or the file is damaged.',
  backupDamaged: 'The backup is damaged. Try an earlier one.',
  newerBackup: 'The backup was made by a newer version of paydesk. Install that version, or a newer one.',
  foreignParts: 'The database in this file is not as paydesk makes it: something was added, changed or is missing. Nothing of it was used.',
  backupUnfit: 'This file needs more time or memory than a backup of paydesk does. Nothing of it was used.',
  backupTakesPlace: 'The backup is taking the place of this node already.',
  lockPassphraseNeeded: 'The backup replaces the lock of this console, too. Enter the passphrase that unlocks it.',
  backupNotOpenedYet: 'Open the backup first.',

  wrongPassphrase: 'This is not the passphrase.',
  tooManyAttempts: 'There were too many wrong passphrases. Wait before you try again.',
  notProtected: 'There is no passphrase to lock the console with.',
  protectedAlready: 'There is a passphrase already. Change that one.',

  notDesktop: 'Only the desktop app has these settings.',
  settingsNotKept: 'The settings could not be written. Is there room on the disk?',
} as const;

/** What the operator API says about input that the console never sends. Such input has no error of its own. */
export const badRequests = {
  tooLarge: 'This is more than the books can hold in this currency.',
  twoAmounts: 'Say what leaves, or what arrives, not both.',
  otherAccount: 'This quote is for another account.',
  noSuchCursor: 'This list has no such cursor.',
  idOrAmount: 'This id was used for something else, or the amount does not fit the account.',
} as const;

/** What the operator API says about an error of which only the log says more. */
export const unexpectedError = 'Something went wrong in the node.';
