import { z } from '../../../src-shared/zod.ts';
import type { Core } from '../../platform/core.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import type { WalletAddresses } from '../../wallet-addresses/wallet-addresses.ts';
import { readClientJwk } from '../client-keys/client-key.ts';
import type { Client } from './clients.ts';

/** The three forms in which a grant request names its client (protocol-notes.md#PN-15). */
export const WireClient = z.union([
  z.string().max(2048),
  z.strictObject({ walletAddress: z.string().max(2048) }),
  z.strictObject({ jwk: z.looseObject({}) }),
]);
export type WireClient = z.infer<typeof WireClient>;

/** Reads JSON documents of other wallets. The assembly provides it from the platform's guarded HTTP client. */
interface WalletDocuments {
  /** The document at a wallet address. It is undefined when no document can be read there. */
  read(url: string): Promise<unknown>;
}

/** The node keeps at most so many characters of a name that a client gives itself. */
const MAX_NAME = 200;
/** Control characters, and characters that reverse the direction of text. With them a name could pass for another. */
const DISGUISES = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const NamedDocument = z.looseObject({ publicName: z.string().optional().catch(undefined) });

interface Parts extends Pick<Core, 'urls'> {
  walletAddresses: Pick<WalletAddresses, 'byUrl'>;
  documents: WalletDocuments;
}

/** Finds out which client a grant request names. The caller then checks the signature against that client's keys. */
export class ClientIdentities {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The same client has the same id in every spelling of its URL, and under former origins of this node. */
  async identify(client: WireClient): Promise<Result<Client, 'invalid_client'>> {
    if (typeof client !== 'string' && 'jwk' in client) {
      const key = await readClientJwk(client.jwk);
      return key.ok ? ok({ kind: 'jwk', id: `jwk:${key.value.thumbprint}`, jwk: key.value.jwk }) : refuse('invalid_client');
    }
    const url = parseWalletAddress(typeof client === 'string' ? client : client.walletAddress);
    if (url === undefined) return refuse('invalid_client');
    const own = this.#parts.urls.parse(url);
    const id = own?.kind === 'wallet-address' ? this.#parts.urls.walletAddress(own.name) : url;
    return ok({ kind: 'wallet-address', id, walletAddress: id });
  }

  /**
   * The name that a client gives itself, or null when it gives none. The name proves nothing.
   * @returns a refusal when the wallet address of the client has no document.
   */
  async nameOf(client: Client): Promise<Result<string | null, 'no_document'>> {
    if (client.kind === 'jwk') return ok(null);
    const own = this.#parts.urls.parse(client.walletAddress);
    if (own?.kind === 'wallet-address') {
      const walletAddress = await this.#parts.walletAddresses.byUrl(client.walletAddress);
      return walletAddress === undefined ? refuse('no_document') : ok(walletAddress.publicName);
    }
    const document = NamedDocument.safeParse(await this.#parts.documents.read(client.walletAddress));
    return document.success ? ok(document.data.publicName?.replace(DISGUISES, '').slice(0, MAX_NAME) ?? null) : refuse('no_document');
  }
}

/** A wallet address has a host and a path, and no other part of a URL. */
function parseWalletAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined;
  return url.pathname === '/' ? url.origin : url.href;
}
