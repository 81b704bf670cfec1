import { Spotlight, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import { IconCashPlus, IconKeyboard, IconSearch, IconWallet } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { messages } from '../messages.ts';
import { SECTIONS } from '../shell/sections.ts';

const words = messages.palette;

/** Everything one can go to or begin, by typing a part of its name; what is typed can also be looked for among the payments. */
export function Palette({ onShowShortcuts }: { onShowShortcuts: () => void }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const text = typed.trim();
  const actions: SpotlightActionGroupData[] = [
    {
      group: words.screens,
      actions: SECTIONS.map(({ to, name, icon: Icon }) => ({
        id: to,
        label: name,
        leftSection: <Icon size={20} stroke={1.7} aria-hidden />,
        onClick: () => void navigate({ to }),
      })),
    },
    {
      group: words.actions,
      actions: [
        action('request', words.newRequest, IconCashPlus, () => void navigate({ to: '/get-paid' })),
        action('account', words.newAccount, IconWallet, () => void navigate({ to: '/accounts/new' })),
        action('shortcuts', words.shortcuts, IconKeyboard, onShowShortcuts),
        // Its words hold what was typed, so that it is found by anything.
        ...(text === ''
          ? []
          : [action('search', words.search(text), IconSearch, () => void navigate({ to: '/payments', search: { text } }))]),
      ],
    },
  ];
  return (
    <Spotlight
      actions={actions}
      query={typed}
      onQueryChange={setTyped}
      // At once, not after it has faded: whoever opens it again begins anew.
      onSpotlightClose={() => setTyped('')}
      // The shortcut works before this is fetched; see shortcuts.tsx.
      shortcut={null}
      nothingFound={words.none}
      highlightQuery
      scrollable
      maxHeight={420}
      // See theme.ts: locking the page's scrolling adds a style tag that the content security policy refuses.
      lockScroll={false}
      attributes={{ content: { 'aria-label': words.open } }}
      searchProps={{ placeholder: words.placeholder, 'aria-label': words.placeholder, leftSection: <IconSearch size={20} aria-hidden /> }}
    />
  );
}

const action = (id: string, label: string, Icon: typeof IconSearch, onClick: () => void) => ({
  id,
  label,
  leftSection: <Icon size={20} stroke={1.7} aria-hidden />,
  onClick,
});

export { spotlight };
