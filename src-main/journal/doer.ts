import type { Role } from '../../src-shared/people/roles.ts';

/** Who does something. */
export interface Doer {
  /**
   * - `person`: a person, in a browser or in the desktop window;
   * - `script`: a script with the operator's token, in the name of the owner at the computer;
   * - `key`: the shop's own software with an API key.
   */
  readonly kind: 'person' | 'script' | 'key';
  /** The id of the person or the key. */
  readonly id: string;
  /** It is empty for an owner without a name. */
  readonly name: string;
  /** As what they did it. */
  readonly role: Role;
}
