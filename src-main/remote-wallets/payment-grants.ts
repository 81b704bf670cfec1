import { hash, timingSafeEqual } from 'node:crypto';
import type { Amount } from '../../src-shared/amounts.ts';
import type { Core } from '../platform/core.ts';
import type { OnBehalf } from '../platform/outbound-http/outbound-http.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { ContinuedGrantDocument, ErrorDocument, PendingGrantDocument } from './documents.ts';
import type { RemoteWalletAddress } from './wallet-directory.ts';
import { gaveNoAnswer, type WalletHttp } from './wallet-http.ts';

/** The owner whom the node asks to allow something, and the way back from there. */
interface WantedGrant {
  /** The wallet address whose owner is asked. */
  walletAddress: RemoteWalletAddress;
  /** The own wallet address in whose name the node asks. */
  walletAddressId: string;
  /** The URL to which the owner's browser comes back, and a value that only this node knows. */
  finish: { uri: string; nonce: string };
  /** The one for whom the node asks. */
  behalf?: OnBehalf;
}

/** The right for which the node asks another wallet's owner, so that the wallet pays. */
export interface WantedPaymentGrant extends WantedGrant {
  /** The most that the wallet takes, or the most that arrives. */
  limit: { debitAmount: Amount } | { receiveAmount: Amount };
  /**
   * The URL of the incoming payment, so that the owner reads to whom the money goes. Without it the grant would pay
   * anyone.
   */
  receiver: string;
}

/** A grant that waits for its owner. Its tokens are secret. Code that keeps them encrypts them. */
interface PendingPaymentGrant {
  /** The authorization server, in the spelling in which the node asked it. It is the last line of the hash. */
  authServer: string;
  /** The URL to which the owner's browser goes. */
  interactUrl: string;
  continueUri: string;
  continueToken: string;
  /** The server's part of the hash. */
  serverNonce: string;
}

/** The facts with which the node continues or cancels a grant. */
interface Continuation {
  authServer: string;
  continueUri: string;
  continueToken: string;
  walletAddressId: string;
  /** The reference that the browser brought when it came back. Without it the node polls the server. */
  interactRef?: string | undefined;
}

/** A token that this node has used, and the URL at which the node gives it back. */
interface UsedToken {
  authServer: string;
  manageUrl: string;
  token: string;
  walletAddressId: string;
}

/** A token, or the way to ask again for one. */
type ContinuedPaymentGrant =
  | {
      state: 'granted';
      token: string;
      manageUrl: string;
      /** The end, in milliseconds since the Unix epoch. It is null when the server has not said. */
      expiresAt: number | null;
    }
  | { state: 'pending'; waitSeconds: number; continueUri: string; continueToken: string };

/**
 * The reason why there is no grant. `unreachable`: there was no usable answer. `refused`: the server says no, or nobody
 * approved.
 */
type PaymentGrantProblem = 'unreachable' | 'refused';

interface Parts extends Pick<Core, 'clock'> {
  http: WalletHttp;
  /** The URL of an own wallet address. Other wallets know that address as a client by this URL. */
  clientUrl: (walletAddressId: string) => Promise<string | undefined>;
}

/** Grants to pay from other wallets. Their owners approve them there (protocol-notes.md#PN-18). */
export class PaymentGrants {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Asks for the right to make outgoing payments within a limit. The owner decides later. */
  async request(wanted: WantedPaymentGrant): Promise<Result<PendingPaymentGrant, PaymentGrantProblem>> {
    const amounts = Object.entries(wanted.limit).map(([name, amount]) => [name, wireAmount(amount)]);
    const limits = { receiver: wanted.receiver, ...Object.fromEntries(amounts) };
    const asked = await this.#ask(wanted, { type: 'outgoing-payment', actions: ['create', 'read'], limits });
    return asked.ok ? asked : refuse(asked.error === 'something_else' ? 'unreachable' : asked.error);
  }

  /** Asks for the right to see which payments a wallet address has made, and for no other. The owner decides later. */
  async requestHistory(wanted: WantedGrant): Promise<Result<PendingPaymentGrant, PaymentGrantProblem>> {
    const asked = await this.#ask(wanted, { type: 'outgoing-payment', actions: ['list-all'] });
    // A server that answers with something else gives no such permission, however often it is asked.
    return asked.ok ? asked : refuse(asked.error === 'something_else' ? 'refused' : asked.error);
  }

  async #ask(
    { walletAddress, walletAddressId, finish, behalf }: WantedGrant,
    right: Readonly<Record<string, unknown>>,
  ): Promise<Result<PendingPaymentGrant, PaymentGrantProblem | 'something_else'>> {
    const { authServer, id } = walletAddress;
    const client = await this.#parts.clientUrl(walletAddressId);
    if (client === undefined) return refuse('refused');
    const access = [{ ...right, identifier: id }];
    const body = { access_token: { access }, client, interact: { start: ['redirect'], finish: { method: 'redirect', ...finish } } };
    const answer = await this.#parts.http.send({ ...behalf, method: 'POST', url: authServer, body, walletAddressId });
    if (gaveNoAnswer(answer) || !answer.ok) return refuse('unreachable');
    if (answer.value.status !== 200) return refuse('refused');
    const document = PendingGrantDocument.safeParse(answer.value.body);
    if (!document.success || !isOf(authServer, document.data.continue.uri)) return refuse('something_else');
    const { interact, continue: next } = document.data;
    return ok({
      authServer,
      interactUrl: interact.redirect,
      continueUri: next.uri,
      continueToken: next.access_token.value,
      serverNonce: interact.finish,
    });
  }

  /**
   * Asks what became of a grant request. If a browser came back, the caller first checks its hash; see {@link
   * isFinishHash}.
   */
  async continue(wanted: Continuation): Promise<Result<ContinuedPaymentGrant, PaymentGrantProblem>> {
    const { authServer, continueUri, continueToken, walletAddressId, interactRef } = wanted;
    if (!isOf(authServer, continueUri)) return refuse('refused');
    const at = this.#parts.clock.now();
    const body = interactRef === undefined ? undefined : { interact_ref: interactRef };
    const answer = await this.#parts.http.send({ method: 'POST', url: continueUri, token: continueToken, body, walletAddressId });
    if (gaveNoAnswer(answer) || !answer.ok) return refuse('unreachable');
    if (saysTooFast(answer.value.body)) return ok({ state: 'pending', waitSeconds: TOO_FAST_WAIT, continueUri, continueToken });
    if (answer.value.status !== 200) return refuse('refused');
    const document = ContinuedGrantDocument.safeParse(answer.value.body);
    if (!document.success) return refuse('unreachable');
    if ('access_token' in document.data) {
      const { value, manage, expires_in } = document.data.access_token;
      if (!isOf(authServer, manage)) return refuse('refused');
      return ok({
        state: 'granted',
        token: value,
        manageUrl: manage,
        expiresAt: expires_in === undefined ? null : at + expires_in * 1_000,
      });
    }
    const { uri, wait, access_token } = document.data.continue;
    if (!isOf(authServer, uri)) return refuse('refused');
    return ok({ state: 'pending', waitSeconds: wait, continueUri: uri, continueToken: access_token.value });
  }

  /** Gives a token back that is of no more use. If that fails, nothing changes here: the token ends by itself. */
  async revoke({ authServer, manageUrl, token, walletAddressId }: UsedToken): Promise<void> {
    if (!isOf(authServer, manageUrl)) return;
    await this.#parts.http.send({ method: 'DELETE', url: manageUrl, token, walletAddressId });
  }

  /** Gives a grant back, with all its tokens. If that fails, nothing changes here: the grant ends by itself. */
  async cancel({ authServer, continueUri, continueToken, walletAddressId }: Continuation): Promise<void> {
    if (!isOf(authServer, continueUri)) return;
    await this.#parts.http.send({ method: 'DELETE', url: continueUri, token: continueToken, walletAddressId });
  }
}

/** The parts of the hash that the browser brings back (RFC 9635 §4.2.3). */
interface FinishHashParts {
  clientNonce: string;
  serverNonce: string;
  interactRef: string;
  /** The URL to which the grant request was sent. */
  authServer: string;
}

/**
 * Whether `claimed` is the right SHA-256, so that nobody but the authorization server sent the browser back. It takes
 * base64 in both alphabets, padded or not. It takes the server's URL with and without a final slash, because servers
 * differ in what they take the fourth line to be (protocol-notes.md#PN-05).
 */
export function isFinishHash(claimed: string, { clientNonce, serverNonce, interactRef, authServer }: FinishHashParts): boolean {
  const plain = claimed.replace(/=$/, '').replaceAll('+', '-').replaceAll('/', '_');
  const bytes = Buffer.from(plain, 'base64url');
  if (bytes.length !== 32 || bytes.toString('base64url') !== plain) return false;
  const bare = authServer.replace(/\/$/, '');
  return [authServer, bare, `${bare}/`].some((url) =>
    timingSafeEqual(bytes, hash('sha256', [clientNonce, serverNonce, interactRef, url].join('\n'), 'buffer')),
  );
}

/** The seconds to wait where a server only says that the question came too early (protocol-notes.md#PN-20). */
const TOO_FAST_WAIT = 5;

const saysTooFast = (body: unknown): boolean => ErrorDocument.safeParse(body).data?.error.code === 'too_fast';

/** Whether a URL is at the authorization server. Its tokens go there and nowhere else. */
const isOf = (authServer: string, url: string): boolean => URL.parse(url)?.origin === new URL(authServer).origin;

const wireAmount = ({ value, assetCode, assetScale }: Amount) => ({ value: value.toString(), assetCode, assetScale });
