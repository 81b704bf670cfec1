/**
 * The address of a shared database. Its URL may hold a password, so only {@link url} gives it. Whatever shows, logs or
 * stores the address gets {@link shown}.
 */
export class DatabaseAddress {
  readonly #url: string;
  /** The host, the port and the name of the database, such as `db.example:5432/paydesk`. */
  readonly shown: string;

  private constructor(url: string, shown: string) {
    this.#url = url;
    this.shown = shown;
  }

  /** @returns undefined when the text is no such URL, or names no database. */
  static read(text: string): DatabaseAddress | undefined {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const name = url?.pathname.slice(1) ?? '';
    if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol) || name === '' || name.includes('/')) return undefined;
    const host = url.hostname || url.searchParams.get('host') || 'localhost';
    return new DatabaseAddress(text, `${host}:${url.port || '5432'}/${name}`);
  }

  /** The URL with everything that it holds. It goes to the driver and nowhere else. */
  get url(): string {
    return this.#url;
  }

  toString(): string {
    return this.shown;
  }

  toJSON(): string {
    return this.shown;
  }
}

/** Takes what stands between `://` and `@` out of a text that is shown, because a password may be there. */
export const withoutLogins = (text: string): string => text.replaceAll(/:\/\/[^\s@]*@/g, '://…@');
