import { isId } from '../ids.ts';

/** What a URL of this node's own origin names. */
export type OwnUrl = { kind: 'wallet-address'; name: string } | { kind: 'incoming-payment' | 'outgoing-payment' | 'quote'; id: string };

const COLLECTIONS = { 'incoming-payments': 'incoming-payment', 'outgoing-payments': 'outgoing-payment', quotes: 'quote' } as const;

/**
 * The node's public URLs. Ids are stored bare and rendered from the current public origin; URLs under former origins are
 * still recognised as the node's own (decisions.md#D-01).
 */
export class PublicUrls {
  /** The current public origin without a trailing slash, such as `https://pay.example`; also the resource server's URL. */
  readonly origin: string;
  /** Every origin under which this node answers, the current one first. */
  readonly origins: readonly string[];

  constructor(origin: string, formerOrigins: readonly string[] = []) {
    this.origin = origin;
    this.origins = [origin, ...formerOrigins.filter((former) => former !== origin)];
  }

  /** The authorization server: grant requests go to exactly this URL. */
  get authServer(): string {
    return `${this.origin}/auth`;
  }
  walletAddress(name: string): string {
    return `${this.origin}/${name}`;
  }
  incomingPayment(id: string): string {
    return `${this.origin}/incoming-payments/${id}`;
  }
  outgoingPayment(id: string): string {
    return `${this.origin}/outgoing-payments/${id}`;
  }
  /** The page on which anybody can see and pay an incoming payment (decisions.md#D-01). */
  checkout(id: string): string {
    return `${this.origin}/pay/${id}`;
  }
  quote(id: string): string {
    return `${this.origin}/quotes/${id}`;
  }

  /** What `url` names on this node, or undefined when it is not an own URL. The path must be exact: no query, fragment or trailing slash. */
  parse(url: string): OwnUrl | undefined {
    const origin = this.origins.find((own) => url.startsWith(`${own}/`));
    if (origin === undefined) return undefined;
    const [first = '', second, ...rest] = url.slice(origin.length + 1).split('/');
    if (rest.length > 0) return undefined;
    if (second === undefined) return /^[a-z0-9-]{1,64}$/.test(first) ? { kind: 'wallet-address', name: first } : undefined;
    if (!Object.hasOwn(COLLECTIONS, first) || !isId(second)) return undefined;
    return { kind: COLLECTIONS[first as keyof typeof COLLECTIONS], id: second };
  }

  /** Whether two wallet address URLs are the same own wallet address, or the same text. */
  sameWalletAddress(a: string, b: string): boolean {
    if (a === b) return true;
    const [left, right] = [this.parse(a), this.parse(b)];
    return left?.kind === 'wallet-address' && right?.kind === 'wallet-address' && left.name === right.name;
  }
}
