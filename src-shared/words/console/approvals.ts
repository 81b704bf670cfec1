import { requestWords } from '../grant-request-words.ts';
import { quotable } from '../inert-text.ts';
import { area, extended } from '../language/language.ts';

const text = area('approvals');

export const approvals = extended('approvals', () => ({
  ...requestWords,

  selfAsserted: (name: string) => text.selfAsserted({ name: quotable(name) }),
}));
