/** Who does something: a person, or the shop's own software with a key. */
export interface Doer {
  readonly kind: 'person' | 'key';
  readonly id: string;
  /** It is empty for an owner without a name. */
  readonly name: string;
}
