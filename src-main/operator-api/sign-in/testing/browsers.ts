import type { Browser } from '../../people/sessions.ts';
import type { Site } from '../../people/site.ts';

/** The console at this computer, at an address that can have passkeys. */
export const HERE: Site = { origin: 'http://localhost:3001', isRemote: false };

/** The console on the network. */
export const ELSEWHERE: Site = { origin: 'https://desk.example', isRemote: true };

/** A browser that signs in. */
export const browserAt = (site: Site, userAgent = 'a browser'): Browser => ({ userAgent, site });
