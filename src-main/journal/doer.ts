import type { Role } from '../../src-shared/people/roles.ts';

/** Who does something. */
export interface Doer {
  /**
   * - `person`: a person, in a browser or in the desktop window;
   * - `script`: a script with the operator's token, in the name of the owner at the computer;
   * - `key`: the shop's own software with an API key;
   * - `till`: the device of a till.
   */
  readonly kind: 'person' | 'script' | 'key' | 'till';
  /** The id of the person, the key or the till. */
  readonly id: string;
  /** It is empty for an owner without a name. */
  readonly name: string;
  /** The role in which they did it. */
  readonly role: Role;
  /** Where a person did it, as facts of the entry: `browser` and `system` as far as they are known, or `device`. */
  readonly from?: Readonly<Record<string, string>> | undefined;
}
