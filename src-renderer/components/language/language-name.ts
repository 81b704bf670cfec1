/** The name of a language, as its own speakers write it. */
export const languageName = (tag: string): string => new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
