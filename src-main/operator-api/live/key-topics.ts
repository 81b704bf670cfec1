import { KEY_NEWS, KEY_TOPICS } from '../../../src-shared/operator-contract/devices/key-rules.ts';
import type { News, Topic } from '../../../src-shared/operator-contract/node.ts';
import type { StoredEvent } from '../../journal/stored-events.ts';
import { isOwnAccount, type Narrowed } from '../people/narrowed.ts';

type OfAccount = Pick<StoredEvent, 'walletAddressId'>;

/** Whether an event names an account of the key. One that names none is nobody's. */
const isOwn = ({ walletAddressId }: OfAccount, narrowed: Narrowed): boolean =>
  walletAddressId !== null && isOwnAccount({ narrowed }, walletAddressId);

const hasOneOf = ({ groups }: Narrowed, wanted: (typeof KEY_TOPICS)[Topic]['groups']): boolean =>
  wanted === 'always' || (groups === undefined ? wanted.length > 0 : wanted.some((group) => groups.has(group)));

/** Whether a narrowed key hears that something of a topic has changed by this event, as far as its role goes. */
export function keyHears(topic: Topic, event: OfAccount, narrowed: Narrowed): boolean {
  const { groups, accounts } = KEY_TOPICS[topic];
  if (!hasOneOf(narrowed, groups)) return false;
  if (narrowed.accounts === undefined || accounts === 'none') return true;
  return accounts === 'own' && isOwn(event, narrowed);
}

/** Whether a narrowed key hears such news, as far as its role goes. */
export const keyHearsNews = (kind: News['kind'], event: OfAccount, narrowed: Narrowed): boolean =>
  hasOneOf(narrowed, KEY_NEWS[kind]) && (narrowed.accounts === undefined || isOwn(event, narrowed));
