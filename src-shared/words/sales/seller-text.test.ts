import { expect, it } from 'vitest';
import { sellerTexts } from './seller-text.ts';

it('tells tills and keys from persons, and two persons of one name by the beginning of their ids', () => {
  const ada = { kind: 'person', id: '1f2e3d4c', name: 'Ada' } as const;
  expect(
    sellerTexts([
      ada,
      ada,
      { kind: 'person', id: '9b8a7c6d', name: 'Ada' },
      { kind: 'till', id: 'a', name: 'Ada' },
      { kind: 'key', id: 'b', name: 'Ada' },
      { kind: 'person', id: 'owner', name: '' },
      { kind: 'person', id: '', name: 'Bob' },
    ]),
  ).toEqual(['Ada · 1f2e', 'Ada · 1f2e', 'Ada · 9b8a', 'Till Ada', 'Key of Ada', 'Owner', 'Bob']);
});
