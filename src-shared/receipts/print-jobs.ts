/** The rolls of a receipt printer. */
export const ROLL_NAMES = ['roll80', 'roll58'] as const;
export type RollName = (typeof ROLL_NAMES)[number];

/** The languages that a receipt printer can write: it has no Arabic letters (decisions.md#D-298). */
export const PRINTED_LANGUAGES = ['en', 'de', 'fr', 'es', 'pt-BR'] as const;
type PrintedLanguage = (typeof PRINTED_LANGUAGES)[number];

/** The languages in which a printer of a computer prints. It gets pages, and so every letter. */
export const PAGE_LANGUAGES = [...PRINTED_LANGUAGES, 'ar'] as const;

export const isPrintedLanguage = (tag: string): tag is PrintedLanguage => PRINTED_LANGUAGES.some((one) => one === tag);

/**
 * What a print job is doing.
 * - `waiting`: the printer has got nothing of it.
 * - `printing`: the printer is getting it.
 * - `printed`: the printer has taken all of it.
 * - `unsure`: the printer has got some of it or all, and nobody knows whether that is on paper.
 * - `lapsed`: it has waited for a day.
 * - `cancelled`: somebody has cancelled it, or removed the printer.
 */
export const PRINT_STATES = ['waiting', 'printing', 'printed', 'unsure', 'lapsed', 'cancelled'] as const;
export type PrintState = (typeof PRINT_STATES)[number];

/**
 * Why the printer got nothing.
 * - `name_unknown`: its name leads to no address.
 * - `refused`: something answers at the address, and takes no connection at this port.
 * - `no_answer`: nothing answers there.
 * - `broke_off`: it took the connection, and did not take the receipt to its end.
 * - `gone`: it is a printer of a computer, and the computer of this node does not have it.
 * - `not_taken`: the system of the computer did not take the receipt for it.
 */
export const PRINTER_PROBLEMS = ['name_unknown', 'refused', 'no_answer', 'broke_off', 'gone', 'not_taken'] as const;
export type PrinterProblem = (typeof PRINTER_PROBLEMS)[number];
