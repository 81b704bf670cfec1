import { sql } from 'drizzle-orm';
import type { PersonState } from '../../src-shared/operator-contract/console/people.ts';
import type { LockReason } from '../../src-shared/operator-contract/lock.ts';
import type { Role } from '../../src-shared/people/roles.ts';
import { bool, check, int53, primaryKey, table, text, timestampMs } from '../platform/database/schema.ts';

/**
 * The person to whom a node belongs before it knows anybody else: the one who opened the console before there were
 * people.
 */
export const FIRST_OWNER = 'owner';

/** The purpose for which a browser may answer a challenge. */
export type ChallengePurpose = 'add_passkey' | 'sign_in' | 'set_password';

/** The persons who work with the console. Rows stay, because the activity log refers to removed persons, too. */
export const people = table('people', {
  id: text('id').primaryKey(),
  /** The owner's name for them. It is empty for the first owner, until somebody gives them a name. */
  name: text('name').notNull(),
  role: text('role').$type<Role>().notNull(),
  state: text('state').$type<PersonState>().notNull(),
  createdAt: timestampMs('created_at').notNull(),
  removedAt: timestampMs('removed_at'),
});

/** Console links and sign-in links that have not been used. Using a link deletes its row. */
export const operatorLinks = table('operator_links', {
  /** SHA-256 of the link's secret, base64url. */
  secretHash: text('secret_hash').primaryKey(),
  /** The person whom it signs in. Null means the owner at this computer: a console link. */
  personId: text('person_id'),
  createdAt: timestampMs('created_at').notNull(),
  expiresAt: timestampMs('expires_at').notNull(),
});

/** Browsers in which a person is signed in. */
export const operatorSessions = table('operator_sessions', {
  /** SHA-256 of the cookie's value, base64url. */
  secretHash: text('secret_hash').primaryKey(),
  personId: text('person_id').notNull().default(FIRST_OWNER),
  /** The session's name in events. It is not secret. */
  id: text('id').notNull().unique(),
  /** SHA-256 of the secret that the page sends with each call, base64url. The empty text fits no secret. */
  pageHash: text('page_hash').notNull().default(''),
  /** The browser's name for itself, as far as the operator, who sees it, may need it. */
  userAgent: text('user_agent').notNull().default(''),
  /** The origin at which the session counts over the network. It is empty for a session at this computer. */
  site: text('site').notNull().default(''),
  /** Whether the person may only make a passkey or set a password. */
  isLimited: bool('is_limited').notNull().default(sql`0`),
  /** The known browser in which it is. Null for a session of an earlier version. */
  browserId: text('browser_id'),
  /** Whether the person came in by their PIN, and so may not change how anybody gets in. */
  byPin: bool('by_pin').notNull().default(sql`0`),
  createdAt: timestampMs('created_at').notNull(),
  /** It is exact to a minute. */
  lastUsedAt: timestampMs('last_used_at').notNull(),
});

/** Browsers in which somebody has signed in without a PIN. A PIN works in no other. */
export const knownBrowsers = table('known_browsers', {
  /** Its name in lists. It is not secret. */
  id: text('id').primaryKey(),
  /** SHA-256 of the cookie's value, base64url. */
  secretHash: text('secret_hash').notNull().unique(),
  /** SHA-256 of the secret that the page keeps, base64url. */
  pageHash: text('page_hash').notNull(),
  /** The site at which it counts, as that of a session. */
  site: text('site').notNull(),
  /** The browser's name for itself. */
  userAgent: text('user_agent').notNull(),
  createdAt: timestampMs('created_at').notNull(),
  /** The last time that somebody signed in there. */
  lastUsedAt: timestampMs('last_used_at').notNull(),
});

/** The persons who have signed in in a browser without a PIN, and may take over there with one. */
export const browserPeople = table(
  'browser_people',
  {
    browserId: text('browser_id').notNull(),
    personId: text('person_id').notNull(),
    /** The wrong PINs since the last right one, or since the person has signed in without it. */
    wrongPins: int53('wrong_pins').notNull(),
    /** The last time that the person signed in there without a PIN. */
    signedInAt: timestampMs('signed_in_at').notNull(),
    lastUsedAt: timestampMs('last_used_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.browserId, t.personId] })],
);

/** The PINs of persons: six digits for browsers in which they have signed in before. */
export const pins = table('pins', {
  personId: text('person_id').primaryKey(),
  /** The scrypt hash of the PIN, sealed: a thief of the rows alone cannot try all PINs. */
  sealedHash: text('sealed_hash').notNull(),
  salt: text('salt').notNull(),
  costN: int53('cost_n').notNull(),
  costR: int53('cost_r').notNull(),
  costP: int53('cost_p').notNull(),
  createdAt: timestampMs('created_at').notNull(),
});

/** The number of wrong PINs for a person within a day, over all browsers. */
export const pinTries = table('pin_tries', {
  personId: text('person_id').primaryKey(),
  wrong: int53('wrong').notNull(),
  /** The time of the first of them. */
  since: timestampMs('since').notNull(),
});

/** The public parts of passkeys (WebAuthn credentials). The private part never leaves the person's device. */
export const passkeys = table('passkeys', {
  id: text('id').primaryKey(),
  personId: text('person_id').notNull(),
  /** The person's name for it. */
  name: text('name').notNull(),
  /** The domain at which it works: `localhost`, or the host of the console's URL. */
  rpId: text('rp_id').notNull(),
  /** The name that the authenticator gave it, base64url. */
  credentialId: text('credential_id').notNull().unique(),
  /** The public key in COSE form (RFC 9053), base64url. */
  publicKey: text('public_key').notNull(),
  /** The number of times that the authenticator says it has signed. Many always say 0. */
  counter: int53('counter').notNull(),
  /** The ways in which a browser reaches the authenticator, separated by commas. */
  transports: text('transports').notNull(),
  createdAt: timestampMs('created_at').notNull(),
  lastUsedAt: timestampMs('last_used_at'),
  /** Whether it waits for an owner to allow it again, because the books were restored from a copy. */
  isPaused: bool('is_paused').notNull(),
});

/** The passwords of persons. Each comes with an app for codes (TOTP, RFC 6238), and none counts without one. */
export const passwords = table('passwords', {
  personId: text('person_id').primaryKey(),
  /** What the person types to sign in, as {@link comparable} writes it. */
  signInName: text('sign_in_name').notNull().unique(),
  /** The scrypt hash of the password (RFC 7914), as that of the lock's passphrase. */
  hash: text('hash').notNull(),
  salt: text('salt').notNull(),
  costN: int53('cost_n').notNull(),
  costR: int53('cost_r').notNull(),
  costP: int53('cost_p').notNull(),
  /** The secret of the app for codes, sealed. */
  totpSecret: text('totp_secret').notNull(),
  /** The step of 30 seconds whose code was used last. No code of it or an earlier one counts. */
  totpStep: int53('totp_step').notNull(),
  createdAt: timestampMs('created_at').notNull(),
  isPaused: bool('is_paused').notNull(),
});

/** Recovery codes that have not been used. Using one deletes its row. */
export const recoveryCodes = table('recovery_codes', {
  /** SHA-256 of the code with the person's id, base64url. */
  codeHash: text('code_hash').primaryKey(),
  personId: text('person_id').notNull(),
});

/** The questions that the node has asked a browser: a challenge of WebAuthn, or the first code of an app for codes. */
export const signInChallenges = table('sign_in_challenges', {
  /** SHA-256 of the challenge, base64url. */
  challengeHash: text('challenge_hash').primaryKey(),
  purpose: text('purpose').$type<ChallengePurpose>().notNull(),
  /** The origin for which it was made. */
  site: text('site').notNull(),
  /** The session that asked. Null when somebody wants to sign in. */
  sessionId: text('session_id'),
  /** The sealed secret of an app for codes that is being set up. */
  secret: text('secret'),
  createdAt: timestampMs('created_at').notNull(),
  expiresAt: timestampMs('expires_at').notNull(),
});

/** Attempts to sign in with a password, by the name that was typed and by the address. */
export const signInAttempts = table('sign_in_attempts', {
  /** The SHA-256 of the name, or the network address, that is counted. */
  counted: text('counted').primaryKey(),
  wrongInARow: int53('wrong_in_a_row').notNull(),
  lastAttemptAt: timestampMs('last_attempt_at').notNull(),
});

/**
 * The tokens with which scripts call the operator API: one for each process of the node. There is at most one row when
 * the books are in the data folder.
 */
export const operatorToken = table('operator_token', {
  /** Which process has the token in its data folder. It is `operator` when the books are there, too. */
  id: text('id').primaryKey(),
  /** SHA-256 of the token, base64url. */
  tokenHash: text('token_hash').notNull(),
  createdAt: timestampMs('created_at').notNull(),
});

/** The keys with which the shop's own software calls the operator API, each as a role. */
export const apiKeys = table('api_keys', {
  id: text('id').primaryKey(),
  /** The owner's name for it. */
  name: text('name').notNull(),
  role: text('role').$type<Role>().notNull(),
  /** The groups of operations for which it was made, separated by commas; null for all that its role may do. */
  groups: text('groups'),
  /** The ids of the accounts for which it was made, separated by commas; null for all accounts. */
  accounts: text('accounts'),
  /** SHA-256 of its value, base64url. */
  keyHash: text('key_hash').notNull().unique(),
  /** SHA-256 of the value before the last rotation. It works until `formerEndsAt`. */
  formerHash: text('former_hash').unique(),
  formerEndsAt: timestampMs('former_ends_at'),
  createdAt: timestampMs('created_at').notNull(),
  /** The time at which the key ends by itself. It is null for a key without an end. */
  expiresAt: timestampMs('expires_at'),
  /** It is exact to a minute; null while nobody has used it. */
  lastUsedAt: timestampMs('last_used_at'),
  /** Whether it waits for an owner to allow it again, because the books were restored from a copy. */
  isPaused: bool('is_paused').notNull(),
});

/** Phones and tablets that are tills. The row of a removed one stays for a while, so that its device is told. */
export const tills = table(
  'tills',
  {
    id: text('id').primaryKey(),
    /** The shop's name for it. No two that were not removed have the same. */
    name: text('name').notNull(),
    /** The account into which it sells; null for every account. */
    accountId: text('account_id'),
    state: text('state').$type<'active' | 'paused' | 'removed'>().notNull(),
    /** SHA-256 of the secret in the pairing link that waits for a device, base64url. */
    pairingHash: text('pairing_hash').unique(),
    pairingEndsAt: timestampMs('pairing_ends_at'),
    /** SHA-256 of the cookie's value, base64url. Null while no device is paired. */
    secretHash: text('secret_hash').unique(),
    /** SHA-256 of the secret that the page sends with each call, base64url. */
    pageHash: text('page_hash'),
    /** The browser's name for itself. The operator sees it. */
    userAgent: text('user_agent').notNull(),
    /** The name that the person who added it had then. */
    madeBy: text('made_by').notNull(),
    createdAt: timestampMs('created_at').notNull(),
    /** It is exact to a minute; null while no device has used it. */
    lastUsedAt: timestampMs('last_used_at'),
    removedAt: timestampMs('removed_at'),
  },
  (t) => [check('tills_state', sql`${t.state} in ('active', 'paused', 'removed')`)],
);

/** The lock of the console. There is at most one row, and none while there is no passphrase. */
export const operatorLock = table('operator_lock', {
  /** It is always `lock`. */
  id: text('id').primaryKey(),
  /** The scrypt hash of the passphrase (RFC 7914), with its salt and its three parameters. Both texts are base64url. */
  hash: text('hash').notNull(),
  salt: text('salt').notNull(),
  costN: int53('cost_n').notNull(),
  costR: int53('cost_r').notNull(),
  costP: int53('cost_p').notNull(),
  /** The console locks after this many minutes in which nobody used it. Null means never. */
  idleMinutes: int53('idle_minutes'),
  atStart: bool('at_start').notNull(),
  /** The reason why the console is locked; null while it is open. */
  lockedFor: text('locked_for').$type<LockReason>(),
  /** Wrong passphrases since the last right one. */
  wrongAttempts: int53('wrong_attempts').notNull(),
  /** The last time that the lock checked a passphrase. */
  lastAttemptAt: timestampMs('last_attempt_at'),
});
