/** What a source says at one moment. */
export interface Reading {
  /** One unit of `base` is worth so many units of each other currency, as exact decimal text. */
  readonly base: string;
  readonly rates: Readonly<Record<string, string>>;
  /**
   * The moment from which the rates are, in milliseconds since the Unix epoch; undefined when the source does not say.
   */
  readonly asOf: number | undefined;
}
