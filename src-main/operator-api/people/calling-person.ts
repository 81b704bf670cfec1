import type { Doer } from '../../journal/doer.ts';
import { doerOf, type PersonRow } from './persons.ts';

interface Call {
  /** It is undefined for the owner at this computer. */
  doer?: Doer | undefined;
  people: { ownerHere(): Promise<PersonRow> };
}

/** Who calls: the caller that the transport knows, or else the owner at this computer. */
export const callerOf = async ({ doer, people }: Call): Promise<Doer> => doer ?? doerOf(await people.ownerHere());
