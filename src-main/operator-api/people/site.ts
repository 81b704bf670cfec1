import { isIP } from 'node:net';

/** The address at which a browser reaches the console. */
export interface Site {
  /** Such as `http://localhost:3001` and `https://desk.example`. */
  readonly origin: string;
  /** Whether it is the console's URL on the network. Otherwise the browser is on the computer of the node. */
  readonly isRemote: boolean;
}

/** How a session at this computer stores where it counts: all addresses of this computer are one place. */
export const HERE = '';

/** How a session stores where it counts. */
export const placeOf = ({ origin, isRemote }: Site): string => (isRemote ? origin : HERE);

/**
 * The domain to which browsers bind the passkeys of a site (the relying party id of WebAuthn Level 3, section 5.1.2).
 * It is undefined where there can be none: an IP address is no domain.
 */
export function passkeyDomain({ origin }: Site): string | undefined {
  const { hostname } = new URL(origin);
  return isIP(hostname) !== 0 || hostname.startsWith('[') ? undefined : hostname;
}
