import { and, asc, eq, sql } from 'drizzle-orm';
import type { Assertion, Registration } from '../../../src-shared/people/passkey-answers.ts';
import { z } from '../../../src-shared/zod.ts';
import { actAs } from '../../journal/acting.ts';
import type { Doer } from '../../journal/doer.ts';
import { appendEvent } from '../../journal/events.ts';
import type { Core } from '../../platform/core.ts';
import { prepared, type Reader, type Tx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import { otherAct } from '../operator-acts.ts';
import { doerOf, type PersonRow, personRow } from '../people/persons.ts';
import { type Browser, liftLimit, newSession, type SessionSecrets, storeSession } from '../people/sessions.ts';
import { passkeyDomain, type Site } from '../people/site.ts';
import { passkeys } from '../tables.ts';
import { type Challenges, takeChallenge } from './challenges.ts';

/** The most passkeys of a person. Nobody can tell more apart. */
const MOST_PASSKEYS = 20;
/** EdDSA, ES256 and RS256 (COSE algorithms of RFC 9053), the one that the node likes best first. */
const ALGORITHMS = [-8, -7, -257];
/** How long the browser waits for the person, in milliseconds. */
const ASK_FOR_MS = 5 * 60_000;

type Row = typeof passkeys.$inferSelect;
/** A passkey as its person sees it. */
type ListedPasskey = Pick<Row, 'id' | 'name' | 'rpId' | 'createdAt' | 'lastUsedAt' | 'isPaused'>;

interface Parts extends Pick<Core, 'database' | 'clock' | 'log'> {
  challenges: Challenges;
}

/** A person in a browser in which they are signed in, or may only make a way in. */
export interface PersonAtPage {
  personId: string;
  sessionId: string;
  site: Site;
}

const byCredential = prepared((reader: Reader) =>
  reader
    .select()
    .from(passkeys)
    .where(eq(passkeys.credentialId, sql.placeholder('credentialId')))
    .prepare(),
);

/**
 * The passkeys of persons (WebAuthn Level 3). The node has their public keys only. It loads the library that verifies
 * them when somebody needs it, because it is large.
 */
export class Passkeys {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The passkeys of a person, the oldest first. */
  async list(personId: string): Promise<ListedPasskey[]> {
    return await this.#parts.database.read
      .select()
      .from(passkeys)
      .where(eq(passkeys.personId, personId))
      .orderBy(asc(passkeys.createdAt), asc(passkeys.id));
  }

  /** Whether any passkey works at a site. */
  async anyAt(site: Site): Promise<boolean> {
    const rpId = passkeyDomain(site);
    if (rpId === undefined) return false;
    return (await this.#parts.database.read.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.rpId, rpId)).limit(1)).length > 0;
  }

  /** Begins to add a passkey. @returns the browser's options. It refuses at an address that can have no passkeys. */
  async beginAdding({ personId, sessionId, site }: PersonAtPage): Promise<Result<object, 'not_here' | 'too_many'>> {
    const rpId = passkeyDomain(site);
    if (rpId === undefined) return refuse('not_here');
    const { read } = this.#parts.database;
    const own = await read.select().from(passkeys).where(eq(passkeys.personId, personId));
    if (own.length >= MOST_PASSKEYS) return refuse('too_many');
    const name = (await personRow(read, personId))?.name || 'paydesk';
    const challenge = await this.#parts.challenges.make({ purpose: 'add_passkey', site: site.origin, sessionId });
    return ok({
      rp: { id: rpId, name: 'paydesk' },
      user: { id: Buffer.from(personId).toString('base64url'), name, displayName: name },
      challenge,
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
      timeout: ASK_FOR_MS,
      excludeCredentials: own.filter((row) => row.rpId === rpId).map(({ credentialId: id }) => ({ id, type: 'public-key' })),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
    });
  }

  /** Stores the passkey that a browser has made. It signs a person in fully who could only make a way in before. */
  async add(
    { personId, sessionId, site }: PersonAtPage,
    name: string,
    answer: Registration,
  ): Promise<Result<string, 'refused' | 'too_many'>> {
    const at = this.#parts.clock.now();
    const rpId = passkeyDomain(site);
    const asked = await this.#asked(answer.response.clientDataJSON, { purpose: 'add_passkey', site: site.origin, sessionId });
    if (asked === undefined || rpId === undefined) return refuse('refused');
    const credential = await this.#verified(async ({ verifyRegistrationResponse }) => {
      const { registrationInfo } = await verifyRegistrationResponse({
        response: answer,
        ...{ expectedChallenge: asked.challenge, expectedOrigin: site.origin, expectedRPID: rpId, requireUserVerification: true },
        supportedAlgorithmIDs: ALGORITHMS,
      });
      return registrationInfo?.credential;
    });
    if (credential === undefined) return refuse('refused');
    const row: Row = {
      ...{ id: newId(), personId, name, rpId, credentialId: credential.id, counter: credential.counter },
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      transports: (answer.response.transports ?? []).join(','),
      ...{ createdAt: at, lastUsedAt: null, isPaused: false },
    };
    return await this.#parts.database.write(async (tx) => {
      const own = await tx.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.personId, personId));
      if (own.length >= MOST_PASSKEYS) return refuse('too_many');
      if (!(await takeChallenge(tx, asked.row))) return refuse('refused');
      const stored = await tx.insert(passkeys).values(row).onConflictDoNothing().returning({ id: passkeys.id });
      if (stored.length === 0) return refuse('refused');
      await appendEvent(tx, { type: 'passkey.added', subject: row.id, body: { label: name }, at });
      await liftLimit(tx, sessionId, at, 'passkey');
      return ok(row.id);
    });
  }

  /** Removes a passkey of the person. Browsers that it has signed in stay signed in. */
  async remove(personId: string, id: string): Promise<boolean> {
    const at = this.#parts.clock.now();
    return await this.#parts.database.write(async (tx) => {
      const [gone] = await tx
        .delete(passkeys)
        .where(and(eq(passkeys.id, id), eq(passkeys.personId, personId)))
        .returning();
      if (gone !== undefined) await appendEvent(tx, { type: 'passkey.removed', subject: id, body: { label: gone.name }, at });
      return gone !== undefined;
    });
  }

  /** Begins to sign in. @returns the browser's options. The device finds the passkey, so nobody types a name. */
  async beginSignIn(site: Site): Promise<Result<object, 'not_here'>> {
    const rpId = passkeyDomain(site);
    if (rpId === undefined) return refuse('not_here');
    const challenge = await this.#parts.challenges.make({ purpose: 'sign_in', site: site.origin, sessionId: null });
    return ok({ challenge, rpId, allowCredentials: [], userVerification: 'required', timeout: ASK_FOR_MS });
  }

  /** Signs a browser in by a passkey. It answers alike for every reason to refuse. */
  async signIn(answer: Assertion, browser: Browser): Promise<Result<SessionSecrets, 'refused'>> {
    const { site } = browser;
    const rpId = passkeyDomain(site);
    const asked = await this.#asked(answer.response.clientDataJSON, { purpose: 'sign_in', site: site.origin, sessionId: null });
    const [row] = await byCredential(this.#parts.database.read).execute({ credentialId: answer.id });
    if (asked === undefined || row === undefined || rpId === undefined || row.rpId !== rpId) return refuse('refused');
    const { userHandle } = answer.response;
    if (typeof userHandle === 'string' && Buffer.from(userHandle, 'base64url').toString() !== row.personId) return refuse('refused');
    const counter = await this.#verified(async ({ verifyAuthenticationResponse }) => {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: { ...answer, response: { ...answer.response, userHandle: userHandle ?? undefined } },
        ...{ expectedChallenge: asked.challenge, expectedOrigin: site.origin, expectedRPID: rpId, requireUserVerification: true },
        // The counter is compared in the write below, where no other answer comes between.
        credential: { id: row.credentialId, publicKey: new Uint8Array(Buffer.from(row.publicKey, 'base64url')), counter: 0 },
      });
      return verified ? authenticationInfo.newCounter : undefined;
    });
    const person = await personRow(this.#parts.database.read, row.personId);
    if (counter === undefined || person === undefined) return refuse('refused');
    return await this.#signIn({ row, person, counter, browser, challenge: asked.row });
  }

  async #signIn(known: { row: Row; person: PersonRow; counter: number; browser: Browser; challenge: { challengeHash: string } }) {
    const { row, person, counter, browser, challenge } = known;
    const now = this.#parts.clock.now();
    const made = newSession(person.id, browser, { now });
    const write = async (tx: Tx): Promise<'in' | 'refused' | 'copied'> => {
      if (!(await takeChallenge(tx, challenge))) return 'refused';
      const [stored] = await tx.select().from(passkeys).where(eq(passkeys.id, row.id));
      const current = await personRow(tx, person.id);
      if (stored === undefined || stored.isPaused || current?.state !== 'active') return 'refused';
      // WebAuthn Level 3, section 7.2, step 22: a counter that has not grown is a sign of a copied passkey.
      if ((counter > 0 || stored.counter > 0) && counter <= stored.counter) return 'copied';
      await tx.update(passkeys).set({ counter, lastUsedAt: now }).where(eq(passkeys.id, row.id));
      await storeSession(tx, made, 'passkey');
      return 'in';
    };
    const answer = await actAs(otherAct('session.signIn', doerOf(person, browser.userAgent)), () => this.#parts.database.write(write));
    if (answer === 'copied') await this.#noteCopy(row, doerOf(person, browser.userAgent), now);
    return answer === 'in' ? ok(made.secrets) : refuse('refused' as const);
  }

  /** Tells in the activity log that a passkey may have been copied. */
  async #noteCopy(row: Row, by: Doer, at: number): Promise<void> {
    const event = { type: 'passkey.refused', subject: row.id, body: { label: row.name, name: by.name }, at } as const;
    await actAs(otherAct('session.passkeyRefused', by), () => this.#parts.database.write((tx) => appendEvent(tx, event)));
  }

  async #asked(clientDataJSON: string, bound: Parameters<Challenges['look']>[1]) {
    const challenge = challengeIn(clientDataJSON);
    const row = challenge === undefined ? undefined : await this.#parts.challenges.look(challenge, bound);
    return challenge === undefined || row === undefined ? undefined : { challenge, row };
  }

  /** Runs a verification. It throws on whatever is wrong with an answer, and then lets nobody in. */
  async #verified<T>(verify: (library: typeof import('@simplewebauthn/server')) => Promise<T>): Promise<T | undefined> {
    const library = await import('@simplewebauthn/server');
    try {
      return await verify(library);
    } catch (error) {
      this.#parts.log.debug({ err: error }, 'a passkey was refused');
      return undefined;
    }
  }
}

const ClientData = z.object({ challenge: z.string().max(200) });

/** The challenge that an answer names. It is undefined when nobody can read the answer. */
function challengeIn(clientDataJSON: string): string | undefined {
  try {
    return ClientData.safeParse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))).data?.challenge;
  } catch {
    return undefined;
  }
}
