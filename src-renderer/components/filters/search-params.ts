import { readTypedNumber } from '../../../src-shared/typed-input/typed-amount.ts';

/** The longest text for which a filter searches. */
export const MOST_LETTERS = 200;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * A typed filter as it stands in the address. Digits arrive as a number, because the address holds JSON values.
 * @returns the empty text when there is none
 */
export const typedText = (value: unknown): string =>
  (typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '').slice(0, MOST_LETTERS);

export const isId = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

/** Whether a list is filtered at all. */
export const isFiltered = (search: object): boolean => Object.values(search).some((value) => value !== undefined);

/** An amount as it stands in the address and as the node takes it. */
export const AMOUNT = /^\d{1,20}(\.\d{1,18})?$/;

/** What a person typed as an amount, in the form of {@link AMOUNT}. */
export function plainAmount(text: string): string | undefined {
  const typed = readTypedNumber(text);
  return typed.kind === 'value' && AMOUNT.test(typed.value) ? typed.value : undefined;
}

/** What a link to a screen about one account may contain. */
interface AccountSearch {
  account?: string | undefined;
}

/** Reads the link's values. It leaves out what is no such value. */
export const parseAccountSearch = ({ account }: Record<string, unknown>): AccountSearch => (isId(account) ? { account } : {});
