import type { SourcePlace } from '../../src-shared/operator-contract/exchange/rate-sources.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { isCode } from './rate-draft.ts';

const words = messages.rateSources;
const { rates } = messages;

/** A source as it is typed. */
export interface SourceDraft {
  kind: 'ecb' | 'json';
  name: string;
  url: string;
  base: string;
  quote: string;
  path: string;
  /** The path to the date. It is empty when the document has no date. */
  datePath: string;
  /** The time between two looks, in seconds. */
  every: string;
}

export type SourceField = Exclude<keyof SourceDraft, 'kind' | 'every'>;

/** A new draft of a kind. The one of the European Central Bank is filled in. */
export const draftOf = (kind: SourceDraft['kind']): SourceDraft => ({
  ...{ kind, base: '', quote: '', path: '', datePath: '', every: '3600' },
  ...(kind === 'ecb' ? { name: words.ecbName, url: words.ecbUrl } : { name: '', url: '' }),
});

/** What is wrong with a draft, by its fields. */
export const faultsOf = ({ kind, name, url, base, quote, path }: SourceDraft): Partial<Record<SourceField, string>> => ({
  ...(name.trim() === '' && { name: words.nameNeeded }),
  ...(url.trim() === '' && { url: words.urlNeeded }),
  ...(kind === 'json' && {
    ...(!isCode(base) && { base: rates.codeWrong }),
    ...(!isCode(quote) && { quote: rates.codeWrong }),
    ...(isCode(base) && base === quote && { quote: rates.sameCurrency }),
    ...(path.trim() === '' && { path: words.pathNeeded }),
  }),
});

/** The place at which a draft without faults reads its rates. */
export const placeOf = ({ kind, url, base, quote, path, datePath }: SourceDraft): SourcePlace =>
  kind === 'ecb'
    ? { kind, url: url.trim() }
    : { kind, url: url.trim(), base, quote, path: path.trim(), datePath: datePath.trim() === '' ? null : datePath.trim() };
