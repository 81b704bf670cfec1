import { createSign, generateKeyPairSync, hash, randomBytes } from 'node:crypto';
import type { Assertion, Registration } from '../../../../src-shared/people/passkey-answers.ts';

/** What an authenticator is told by a page, true or not. */
interface Asked {
  challenge: string;
  origin: string;
  rpId: string;
  isVerified?: boolean;
  userHandle?: string;
}

const CBOR_EMPTY_MAP = 0xa0;
/** Present, verified, and with a credential (WebAuthn Level 3, section 6.1). */
const FLAGS = { present: 0x01, verified: 0x04, credential: 0x40 };

const bytes = (data: Uint8Array): Buffer =>
  data.length < 24
    ? Buffer.concat([Buffer.of(0x40 + data.length), data])
    : Buffer.concat([data.length < 256 ? Buffer.of(0x58, data.length) : Buffer.of(0x59, data.length >> 8, data.length & 255), data]);
const word = (text: string): Buffer => Buffer.concat([Buffer.of(0x60 + text.length), Buffer.from(text)]);

/** A device with one passkey (ES256), which answers whatever it is asked: also what an honest browser would not. */
export class TestAuthenticator {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly id = randomBytes(16).toString('base64url');
  counter = 0;

  register(asked: Asked): Registration {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const coordinates = [Buffer.of(0x21), bytes(Buffer.from(x, 'base64url')), Buffer.of(0x22), bytes(Buffer.from(y, 'base64url'))];
    // {1: 2, 3: -7, -1: 1, -2: x, -3: y}
    const key = Buffer.concat([Buffer.of(0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01), ...coordinates]);
    const id = Buffer.from(this.id, 'base64url');
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.of(0, id.length), id, key]);
    const authData = Buffer.concat([this.#data(asked, FLAGS.credential), credential]);
    const attestation = [word('fmt'), word('none'), word('attStmt'), Buffer.of(CBOR_EMPTY_MAP), word('authData'), bytes(authData)];
    return {
      ...{ id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {} },
      response: {
        clientDataJSON: clientData('webauthn.create', asked).toString('base64url'),
        attestationObject: Buffer.concat([Buffer.of(0xa3), ...attestation]).toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  assert(asked: Asked): Assertion {
    this.counter += 1;
    const data = this.#data(asked, 0);
    const client = clientData('webauthn.get', asked);
    const signature = createSign('sha256')
      .update(Buffer.concat([data, hash('sha256', client, 'buffer')]))
      .sign(this.#keys.privateKey);
    return {
      ...{ id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {} },
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: asked.userHandle,
      },
    };
  }

  #data({ rpId, isVerified = true }: Asked, more: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const flags = FLAGS.present | (isVerified ? FLAGS.verified : 0) | more;
    return Buffer.concat([hash('sha256', rpId, 'buffer'), Buffer.of(flags), counter]);
  }
}

const clientData = (type: string, { challenge, origin }: Asked): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
