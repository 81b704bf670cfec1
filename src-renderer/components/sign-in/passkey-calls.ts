import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { client } from '../../transport/operator-client.ts';
import { askBeforeSignIn, type SignInRefusal, signIn } from '../../transport/session.ts';

// The library is fetched when somebody uses a passkey.

/** Whether this browser has passkeys at all. Whether the address can have any, the node says. */
export const hasPasskeys = (): boolean => window.isSecureContext && 'PublicKeyCredential' in window;

/** What came of asking the browser: `given_up` when the person, or the browser, has ended it. */
type Outcome = 'made' | 'given_up' | 'known';

/** Makes a passkey in this browser, and gives its public part to the node. @throws what the node refuses. */
export async function addPasskey(name: string): Promise<Outcome> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const { options } = await client.ways.beginPasskey();
  try {
    const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
    const { id, rawId, type, response } = await startRegistration({ optionsJSON });
    const { clientDataJSON, attestationObject, transports } = response;
    if (type !== 'public-key') return 'given_up';
    const answer = { id, rawId, type, response: { clientDataJSON, attestationObject, transports }, clientExtensionResults: {} } as const;
    await client.ways.addPasskey({ name, answer });
    return 'made';
  } catch (error) {
    if (!isOfBrowser(error)) throw error;
    return nameOf(error) === 'InvalidStateError' ? 'known' : 'given_up';
  }
}

/** Signs in with a passkey that the person chooses in their browser. */
export async function signInWithPasskey(): Promise<'open' | 'given_up' | SignInRefusal> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const begun = await askBeforeSignIn('POST', '/operator/passkey-challenges');
  if (!begun.ok) return 'given_up';
  const optionsJSON = (await begun.json()) as PublicKeyCredentialRequestOptionsJSON;
  try {
    const passkey = await startAuthentication({ optionsJSON });
    return await signIn({ passkey: { ...passkey, clientExtensionResults: {} } });
  } catch (error) {
    if (!isOfBrowser(error)) throw error;
    return 'given_up';
  }
}

const isOfBrowser = (error: unknown): error is Error =>
  error instanceof DOMException || (error instanceof Error && error.name === 'WebAuthnError') || nameOf(error) === 'InvalidStateError';

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');
