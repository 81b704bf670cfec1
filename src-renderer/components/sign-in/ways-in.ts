import { askBeforeSignIn } from '../../transport/session.ts';
import type { KnownPerson } from './take-over.tsx';

/** The ways in which somebody can sign in here. */
export interface WaysIn {
  passkey: boolean;
  password: boolean;
  /** Whether the node belongs to nobody and waits for its setup code. */
  setUp: boolean;
  /** Whether the page was opened over the network. A console link opens nothing there. */
  isRemote: boolean;
  /**
   * The persons who have signed in in this browser before, and take over here with a PIN. The list is empty where one
   * person works alone.
   */
  people: readonly KnownPerson[];
}

const ONLY_LINKS: WaysIn = { passkey: false, password: false, setUp: false, isRemote: false, people: [] };

/** Asks the node how somebody can sign in here. When it does not answer, a link is the only way. */
export async function readWaysIn(): Promise<WaysIn> {
  try {
    const answer = await askBeforeSignIn('GET', '/operator/ways-in');
    return answer.ok ? ((await answer.json()) as WaysIn) : ONLY_LINKS;
  } catch {
    return ONLY_LINKS;
  }
}
