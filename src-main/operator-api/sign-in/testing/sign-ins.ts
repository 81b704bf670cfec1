import { ManualClock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { createLogger } from '../../../platform/logs/logger.ts';
import { Seal } from '../../../platform/secrets/seal.ts';
import { KnownBrowsers } from '../../people/known-browsers.ts';
import { People } from '../../people/people.ts';
import { OperatorSessions } from '../../people/sessions.ts';
import type { Site } from '../../people/site.ts';
import { SignInAttempts } from '../attempts.ts';
import { Challenges } from '../challenges.ts';
import { Passkeys, type PersonAtPage } from '../passkeys.ts';
import { Passwords } from '../passwords.ts';
import { Pins } from '../pins.ts';
import { TestAuthenticator } from './authenticator.ts';
import { browserAt, HERE } from './browsers.ts';

const PASSWORD_COST = { N: 2, r: 1, p: 1 };

/** Seals the secrets of apps for codes, unless a test has another one. */
export const TEST_SEAL = new Seal(Buffer.alloc(32, 5));

/** What signs people in, in one process of a node. A restart is another one of these over the same database. */
export function openSignIns(database: Database, clock = new ManualClock(Date.UTC(2026, 0, 1)), seal = TEST_SEAL) {
  const core = { database, clock, log: createLogger('silent') };
  const sessions = new OperatorSessions(core);
  const challenges = new Challenges(core);
  return {
    ...{ clock, sessions, challenges, people: new People({ ...core, sessions }) },
    passkeys: new Passkeys({ ...core, challenges }),
    passwords: new Passwords({ ...core, challenges, attempts: new SignInAttempts(core), seal, cost: PASSWORD_COST }),
    ...{ pins: new Pins({ ...core, seal, cost: PASSWORD_COST }), knownBrowsers: new KnownBrowsers(core) },
  };
}

export type SignIns = ReturnType<typeof openSignIns>;

/** A new person who has opened their sign-in link. */
export async function newPerson({ people, sessions }: SignIns, name = 'Ada', site: Site = HERE): Promise<PersonAtPage> {
  const invited = await people.invite({ name, role: 'cashier' });
  if (!invited.ok) throw new Error(invited.error);
  const signedIn = await sessions.redeem(invited.value.secret, browserAt(site));
  if (!signedIn.ok) throw new Error(signedIn.error);
  const session = await sessions.find(signedIn.value, site);
  return { personId: invited.value.id, sessionId: session?.id ?? '', site };
}

export const challengeOf = (begun: { ok: boolean; value?: object }): string => {
  if (begun.value === undefined || !('challenge' in begun.value)) throw new Error('no challenge was made');
  return String(begun.value.challenge);
};

export const rpIdOf = ({ origin }: Site): string => new URL(origin).hostname;

/** Adds a passkey for a person. */
export async function addPasskey({ passkeys }: SignIns, person: PersonAtPage): Promise<TestAuthenticator> {
  const device = new TestAuthenticator();
  const { origin } = person.site;
  const challenge = challengeOf(await passkeys.beginAdding(person));
  const added = await passkeys.add(person, 'The tablet', device.register({ challenge, origin, rpId: rpIdOf(person.site) }));
  if (!added.ok) throw new Error(added.error);
  return device;
}
