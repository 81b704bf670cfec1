/**
 * The language tag for numbers and dates: the reader's own English, because the words are English. Amounts are typed with a
 * decimal point, so they are shown with one.
 */
export const locale: string = globalThis.navigator?.languages?.find((tag) => /^en\b/i.test(tag)) ?? 'en';
