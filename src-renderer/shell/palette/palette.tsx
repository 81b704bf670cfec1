import { useMantineColorScheme } from '@mantine/core';
import { createSpotlight, Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import {
  IconAffiliate,
  IconCashPlus,
  IconCoins,
  IconDatabaseExport,
  IconDeviceDesktop,
  IconKeyboard,
  IconLock,
  IconMoon,
  IconSearch,
  IconSend,
  IconSun,
  IconUsers,
  IconWallet,
} from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { readers } from '../../../src-shared/people/roles.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { inertText } from '../../../src-shared/words/inert-text.ts';
import { plainAmount } from '../../components/filters/search-params.ts';
import { SECTIONS } from '../../components/sections/sections.ts';
import { useSwitchPerson } from '../../components/sign-in/use-switch-person.tsx';
import { lockState } from '../../transport/lock-state.ts';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { useStateCell } from '../../transport/state-cell.ts';
import { mayCallOf, mayOf, you } from '../../transport/you.ts';
import classes from './palette.module.css';

const words = messages.palette;
const ACTS = [
  { id: 'request', name: 'newRequest', icon: IconCashPlus, to: '/get-paid', call: 'requests.create' },
  { id: 'account', name: 'newAccount', icon: IconWallet, to: '/accounts/new', call: 'accounts.create' },
  { id: 'pay', name: 'pay', icon: IconSend, to: '/pay', call: 'payments.pay' },
  { id: 'backup', name: 'backUp', icon: IconDatabaseExport, to: '/settings', call: 'backups.make' },
] as const;
const [store, spotlight] = createSpotlight();
/** The most accounts, and the most peers, that are offered for a text. */
const OFFERED = 10;
const COLOURS = [
  { scheme: 'light', icon: IconSun },
  { scheme: 'dark', icon: IconMoon },
  { scheme: 'auto', icon: IconDeviceDesktop },
] as const;

/** Offers every screen and action by a part of its name, and a search among the payments. */
export function Palette({ onShowShortcuts }: { onShowShortcuts: () => void }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const text = typed.trim();
  // The accounts are read while the palette is open, because they change with each payment. There may be many, so the
  // node searches them for what was typed.
  const [enabled, setOpened] = useState(false);
  const current = useStateCell(you);
  const reads = mayOf(current, readers);
  const accounts = useQuery({
    ...queries.accounts.list.queryOptions({ input: { text, limit: OFFERED } }),
    enabled: reads && enabled && text !== '',
    placeholderData: keepPreviousData,
  });
  const peers = useQuery({
    ...queries.peers.list.queryOptions({ input: { text, limit: OFFERED } }),
    enabled: reads && enabled && text !== '',
    placeholderData: keepPreviousData,
  });
  // Without its transitions Mantine would add a style tag, which the content security policy refuses.
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const lock = useStateCell(lockState);
  const report = useReporting();
  const lockNow = useMutation(queries.lock.now.mutationOptions({ onSuccess: (next) => lockState.set(next), onError: report.failed }));
  const switching = useSwitchPerson();
  const actions: SpotlightActionGroupData[] = [
    {
      group: words.screens,
      actions: SECTIONS.filter(({ may }) => mayOf(current, may)).map(({ to, name, icon: Icon }) => ({
        id: to,
        label: name,
        leftSection: <Icon size={20} stroke={1.7} aria-hidden />,
        onClick: () => void navigate({ to }),
      })),
    },
    {
      group: words.accounts,
      actions: (text === '' ? [] : (accounts.data?.items ?? [])).map(({ id, publicName, name }) => ({
        ...action(`account ${id}`, inertText(publicName), IconWallet, () => void navigate({ to: '/accounts/$id', params: { id } })),
        description: inertText(name),
      })),
    },
    {
      group: words.peers,
      actions: (text === '' ? [] : (peers.data?.items ?? [])).map(({ id, name }) =>
        action(`peer ${id}`, inertText(name), IconAffiliate, () => void navigate({ to: '/peers/$id', params: { id } })),
      ),
    },
    {
      group: words.actions,
      actions: [
        ...ACTS.filter(({ call }) => mayCallOf(current, call)).map(({ id, name, icon, to }) =>
          action(id, words[name], icon, () => void navigate({ to })),
        ),
        ...(lock?.protected === true ? [action('lock', words.lock, IconLock, () => lockNow.mutate(undefined))] : []),
        ...(switching.isOffered ? [action('switch', messages.ways.takeOver.switch, IconUsers, switching.start)] : []),
        ...COLOURS.map(({ scheme, icon }) => action(`colours ${scheme}`, words.colours[scheme], icon, () => setColorScheme(scheme))),
        action('shortcuts', words.shortcuts, IconKeyboard, onShowShortcuts),
        ...searches(reads ? text : '', (search) => void navigate({ to: '/payments', search })),
      ],
    },
  ];
  // Whatever made this component render again may have changed the actions.
  useEffect(markFirst);
  return (
    <>
      <Spotlight
        store={store}
        actions={actions}
        query={typed}
        onQueryChange={setTyped}
        // The text is cleared at once, not after the palette has faded, so that the next opening starts empty.
        onSpotlightClose={() => {
          setTyped('');
          setOpened(false);
        }}
        onSpotlightOpen={() => setOpened(true)}
        // The shortcut works before this code is fetched; see shortcuts.tsx.
        shortcut={null}
        nothingFound={words.none}
        scrollable
        limit={50}
        maxHeight={420}
        // See theme.ts: locking the page's scrolling adds a style tag that the content security policy refuses.
        lockScroll={false}
        classNames={{ actionsGroup: classes.group ?? '' }}
        overlayProps={{ blur: 0, backgroundOpacity: 0.6 }}
        attributes={{ content: { 'aria-label': words.open } }}
        searchProps={{ placeholder: words.placeholder, 'aria-label': words.placeholder, leftSection: <IconSearch size={20} aria-hidden /> }}
      />
      {switching.question}
    </>
  );
}

/**
 * Marks the first action as the one that Enter chooses. Mantine marks it when the text changes and keeps the mark on
 * that element, so what the node finds later would come above it, or take its place without a mark. An action that the
 * operator has chosen with the arrows keeps its mark.
 */
function markFirst(): void {
  const { listId, selected } = store.getState();
  const list = document.getElementById(listId);
  const marked = list?.querySelector('[data-selected]');
  if (selected < 0 || (selected > 0 && marked)) return;
  marked?.removeAttribute('data-selected');
  list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
}

const action = (id: string, label: string, Icon: typeof IconSearch, onClick: () => void) => ({
  id,
  label,
  leftSection: <Icon size={20} stroke={1.7} aria-hidden />,
  onClick,
});

/** The searches among the payments for the typed text. Their labels contain it, so the palette always finds them. */
function searches(text: string, find: (search: { text: string } | { min: string; max: string }) => void) {
  if (text === '') return [];
  const byText = action('search', words.search({ text }), IconSearch, () => find({ text }));
  const value = plainAmount(text);
  if (value === undefined) return [byText];
  const byAmount = action('amount', words.ofAmount({ amount: text }), IconCoins, () => find({ min: value, max: value }));
  // Digits alone are rather the number of an order.
  return value.includes('.') ? [byAmount, byText] : [byText, byAmount];
}

export { spotlight };
