import { KnownBrowsers } from '../operator-api/people/known-browsers.ts';
import { SignInAttempts } from '../operator-api/sign-in/attempts.ts';
import { Challenges } from '../operator-api/sign-in/challenges.ts';
import { Passkeys } from '../operator-api/sign-in/passkeys.ts';
import { Passwords } from '../operator-api/sign-in/passwords.ts';
import { Pins } from '../operator-api/sign-in/pins.ts';
import type { Core } from '../platform/core.ts';
import type { NodeSecrets } from '../platform/secrets/node-secrets.ts';
import { Seal } from '../platform/secrets/seal.ts';

/** Wires the ways in which persons sign in. */
export function assembleSignIn(core: Core, secrets: Pick<NodeSecrets, 'derive'>) {
  const challenges = new Challenges(core);
  const seal = new Seal(secrets.derive('sign-in-codes'));
  return {
    passkeys: new Passkeys({ ...core, challenges }),
    passwords: new Passwords({ ...core, challenges, attempts: new SignInAttempts(core), seal }),
    ...{ pins: new Pins({ ...core, seal }), knownBrowsers: new KnownBrowsers(core) },
  };
}
