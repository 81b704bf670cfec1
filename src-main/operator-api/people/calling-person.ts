import type { Doer } from '../../journal/doer.ts';
import type { Caller } from '../lock/lock-guard.ts';
import { doerOf, type PersonRow } from './persons.ts';

interface Call {
  /** It is undefined for the owner at this computer. */
  doer?: Doer | undefined;
  caller?: Caller | undefined;
  isWindow?: boolean | undefined;
  people: { ownerHere(): Promise<PersonRow> };
}

/** Who calls: the caller that the transport knows, or else the owner at this computer, perhaps by a script. */
export async function callerOf({ doer, caller, isWindow, people }: Call): Promise<Doer> {
  if (doer !== undefined) return doer;
  const owner = doerOf(await people.ownerHere());
  if (isWindow === true) return { ...owner, from: { device: 'desktop' } };
  return caller === 'script' ? { ...owner, kind: 'script' } : owner;
}
