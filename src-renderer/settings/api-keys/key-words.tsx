import type { ApiKey } from '../../../src-shared/operator-contract/console/api-keys.ts';
import { groupsFor } from '../../../src-shared/people/key-groups.ts';
import type { Role } from '../../../src-shared/people/roles.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { listed } from '../../../src-shared/words/language/listed.ts';
import { strong } from '../../../src-shared/words/words.ts';
import { Sentence } from '../../components/text/sentence.tsx';

const words = messages.apiKeys;

interface KeyWordsProps extends Pick<ApiKey, 'groups'> {
  role: Role;
  /** The accounts for which it is; null for all. */
  accounts: readonly { publicName: string }[] | null;
}

/** What a key may do, in one sentence. */
export function KeyWords({ role, groups, accounts }: KeyWordsProps) {
  if (groups === null && accounts === null) return role === 'owner' ? null : words.may[role];
  const may = groupsFor(role, accounts !== null).filter((group) => groups === null || groups.includes(group));
  const what = listed(may.map((group) => [words.groups[group]]));
  if (accounts === null) return <Sentence words={words.mayDo({ what })} />;
  return <Sentence words={words.mayDoIn({ what, accounts: listed(accounts.map(({ publicName }) => [strong(publicName)])) })} />;
}
