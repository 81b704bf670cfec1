import type { CDPSession, Page } from '@playwright/test';

/** A device with passkeys, as Chromium plays one. Its person always agrees. */
export class Authenticator {
  readonly #cdp: CDPSession;
  readonly #id: string;

  private constructor(cdp: CDPSession, id: string) {
    this.#cdp = cdp;
    this.#id = id;
  }

  static async attach(page: Page): Promise<Authenticator> {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return new Authenticator(cdp, authenticatorId);
  }

  /** Whether the person shows their finger, their face or the PIN. */
  async verifiesPerson(isUserVerified: boolean): Promise<void> {
    await this.#cdp.send('WebAuthn.setUserVerified', { authenticatorId: this.#id, isUserVerified });
  }

  /** Makes the only passkey of the device say that it has signed less often than it has: a copy would. */
  async turnBack(): Promise<void> {
    const { credentials } = await this.#cdp.send('WebAuthn.getCredentials', { authenticatorId: this.#id });
    for (const credential of credentials) {
      await this.#cdp.send('WebAuthn.removeCredential', { authenticatorId: this.#id, credentialId: credential.credentialId });
      await this.#cdp.send('WebAuthn.addCredential', { authenticatorId: this.#id, credential: { ...credential, signCount: 0 } });
    }
  }
}
