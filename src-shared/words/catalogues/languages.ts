/** The languages that the program speaks, as BCP 47 tags. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt-BR', 'ar'] as const;

export type LanguageTag = (typeof LANGUAGES)[number];

/** ICU messages by key, such as `accounts.title`. */
export type Catalogue = Readonly<Record<string, string>>;
