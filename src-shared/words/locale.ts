/** The language tag for numbers and dates: the reader's own kind of English, because the words are English. */
export const locale: string = globalThis.navigator?.languages?.find((tag) => /^en\b/i.test(tag)) ?? 'en';
