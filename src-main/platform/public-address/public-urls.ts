import { isId } from '../ids.ts';

/** What a URL under one of this node's origins names. */
type OwnUrl = { kind: 'wallet-address'; name: string } | { kind: 'incoming-payment' | 'outgoing-payment' | 'quote'; id: string };

const COLLECTIONS = { 'incoming-payments': 'incoming-payment', 'outgoing-payments': 'outgoing-payment', quotes: 'quote' } as const;

/**
 * The node's public URLs. The database holds only ids, and URLs are made from them under the current public origin.
 * URLs under former origins are still recognised as the node's own (decisions.md#D-01).
 */
export class PublicUrls {
  /**
   * The current public origin without a trailing slash, such as `https://pay.example`. It is also the resource server's
   * URL.
   */
  readonly origin: string;
  /** Every origin under which this node answers, the current one first. */
  readonly origins: readonly string[];

  constructor(origin: string, formerOrigins: readonly string[] = []) {
    this.origin = origin;
    this.origins = [origin, ...formerOrigins.filter((former) => former !== origin)];
  }

  /** The URL of the authorization server. Grant requests go to exactly this URL. */
  get authServer(): string {
    return `${this.origin}/auth`;
  }
  /** @param origin one of the own origins. The current one unless given. */
  walletAddress(name: string, origin = this.origin): string {
    return `${origin}/${name}`;
  }
  /** Whether wallet addresses under the current origin are what Open Payments wants: https, and no port. */
  get areProper(): boolean {
    const { protocol, port } = new URL(this.origin);
    return protocol === 'https:' && port === '';
  }
  /** The own origin under which a request came, by its `Host`. It is the current one when the host is no own host. */
  originAt(host: string | undefined): string {
    return this.origins.find((own) => new URL(own).host === host?.toLowerCase()) ?? this.origin;
  }
  incomingPayment(id: string): string {
    return this.incomingPaymentAt(id, this.origin);
  }
  /** @param origin one of the own origins. */
  incomingPaymentAt(id: string, origin: string): string {
    return `${origin}/incoming-payments/${id}`;
  }
  outgoingPayment(id: string): string {
    return `${this.origin}/outgoing-payments/${id}`;
  }
  /** The page on which anybody can see and pay an incoming payment (decisions.md#D-01). */
  checkout(id: string): string {
    return `${this.origin}/pay/${id}`;
  }
  /** The page of a receipt. @param secret the part of the link that nobody can guess */
  receipt(secret: string): string {
    return `${this.origin}/receipt/${secret}`;
  }
  /** The page on which the device of a till sells. It ends with a slash: cookie and service worker count below it. */
  get till(): string {
    return `${this.origin}/till/`;
  }
  /** The page of a claim link. @param secret the part of the link that nobody can guess */
  claim(secret: string): string {
    return `${this.origin}/claim/${secret}`;
  }
  /**
   * The URL to which a customer comes back from a wallet that they named for a claim. That wallet does not learn the
   * link.
   */
  claimReturn(tryId: string): string {
    return `${this.origin}/claim/back/${tryId}`;
  }
  quote(id: string): string {
    return `${this.origin}/quotes/${id}`;
  }

  /**
   * Tells what `url` names on this node. The path must be exact, without a query, a fragment or a trailing slash.
   * @returns undefined when the URL is not the node's own.
   */
  parse(url: string): OwnUrl | undefined {
    const origin = this.origins.find((own) => url.startsWith(`${own}/`));
    if (origin === undefined) return undefined;
    const [first = '', second, ...rest] = url.slice(origin.length + 1).split('/');
    if (rest.length > 0) return undefined;
    if (second === undefined) return /^[a-z0-9-]{1,64}$/.test(first) ? { kind: 'wallet-address', name: first } : undefined;
    if (!Object.hasOwn(COLLECTIONS, first) || !isId(second)) return undefined;
    return { kind: COLLECTIONS[first as keyof typeof COLLECTIONS], id: second };
  }

  /** Tells whether two URLs are the same text, or name the same wallet address of this node. */
  sameWalletAddress(a: string, b: string): boolean {
    if (a === b) return true;
    const [left, right] = [this.parse(a), this.parse(b)];
    return left?.kind === 'wallet-address' && right?.kind === 'wallet-address' && left.name === right.name;
  }
}
