import { Alert, Button, Skeleton, Stack, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { IconArrowLeft, IconSwitchHorizontal, IconVolume, IconVolumeOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { PayableAccount } from '../../src-shared/operator-contract/payments/payment-requests.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { accountLabel, PayableAccountSelect } from '../components/forms/account-select.tsx';
import { ConnectionBanner } from '../components/page/connection-banner.tsx';
import { PlainLink } from '../components/page/links.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { Redirect } from '../components/page/redirect.tsx';
import { SwitchPerson } from '../components/sign-in/switch-person.tsx';
import { queries } from '../transport/operator-client.ts';
import { useStateCell } from '../transport/state-cell.ts';
import { useTill } from '../transport/you.ts';
import { scanAhead, useScans } from './cart/use-scans.ts';
import { Counter } from './counter.tsx';
import { CustomerButton } from './customer/customer-button.tsx';
import { FullScreen } from './full-screen.tsx';
import { HeadButton } from './head-button.tsx';
import { Sale } from './sale.tsx';
import classes from './till.module.css';
import { muted, rememberAccount, rememberedAccount, swapped } from './till-memory.ts';
import { useWakeLock } from './use-wake-lock.ts';

const route = getRouteApi('/till');
const words = messages.till;

/** The till fills the screen: the keypad, and then the code of one sale until it is paid. */
export function TillPage() {
  const { sale } = route.useSearch();
  const till = useTill();
  useDocumentTitle(messages.common.title({ page: till?.name ?? words.title, waiting: 0 }));
  useWakeLock();
  return (
    <main className={classes.till}>
      <ConnectionBanner />
      <header className={classes.head}>
        {till === null && (
          <PlainLink to="/" className={classes.back} aria-label={words.back} title={words.back}>
            <IconArrowLeft size={24} aria-hidden />
          </PlainLink>
        )}
        <Title order={1} size="h2" ps={till === null ? undefined : 'sm'}>
          <bdi>{till?.name ?? words.title}</bdi>
        </Title>
        <SwitchPerson size={48} />
        {till === null && <CustomerButton className={classes.wide} />}
        <FullScreen className={classes.wide} />
        <Swap />
        <Mute />
      </header>
      {sale === undefined ? <Open /> : <Sale key={sale} id={sale} />}
    </main>
  );
}

function Mute() {
  const isMuted = useStateCell(muted);
  const Icon = isMuted ? IconVolumeOff : IconVolume;
  return <HeadButton label={words.sound} isOn={!isMuted} onClick={() => muted.set(!isMuted)} icon={<Icon size={24} aria-hidden />} />;
}

/** Puts the keypad on the other side, where a screen has two. */
function Swap() {
  const isSwapped = useStateCell(swapped);
  const icon = <IconSwitchHorizontal size={24} aria-hidden />;
  return <HeadButton className={classes.swap} label={words.swap} isOn={isSwapped} onClick={() => swapped.set(!isSwapped)} icon={icon} />;
}

/** The till before a sale. Its account is chosen once, unless there is only one. */
function Open() {
  const isPaired = useTill() !== null;
  const [id, setId] = useState(rememberedAccount);
  const [isChoosing, setChoosing] = useState(false);
  const own = useQuery({ ...queries.requests.accounts.queryOptions({ input: { id: id ?? '' } }), enabled: id !== undefined });
  const all = useQuery(queries.requests.accounts.queryOptions({ input: {} }));
  const choose = (account: PayableAccount) => {
    rememberAccount(account.id);
    setId(account.id);
    setChoosing(false);
  };
  return (
    <Loaded query={id === undefined || own.data !== undefined || own.error !== null ? all : own} skeleton={<Opening />}>
      {({ items: accounts }) => {
        const account = (id === undefined ? undefined : own.data?.items[0]) ?? (accounts.length === 1 ? accounts[0] : undefined);
        if (accounts.length === 0)
          return isPaired ? <Alert color="orange">{messages.tills.screen.noAccount}</Alert> : <Redirect to="/welcome" />;
        if (account === undefined || isChoosing) return <Choose accounts={accounts} account={account} onChoose={choose} />;
        return <Ready account={account} onChange={accounts.length > 1 ? () => setChoosing(true) : undefined} />;
      }}
    </Loaded>
  );
}

/** The counter before it is there. What is scanned meanwhile is kept for it. */
function Opening() {
  useScans(scanAhead);
  return <Skeleton height={420} />;
}

/** The till once it knows the shop's taxes and tips: it charges nothing without them. */
function Ready(props: { account: PayableAccount; onChange: (() => void) | undefined }) {
  const shop = useQuery(queries.shop.get.queryOptions());
  const till = useQuery(queries.settings.till.queryOptions());
  return (
    <Loaded query={shop.data === undefined ? shop : till} skeleton={<Opening />}>
      {() => till.data !== undefined && <Counter key={props.account.id} {...props} tipPercents={till.data.tipPercents} />}
    </Loaded>
  );
}

interface ChooseProps {
  /** The accounts, or the 50 oldest of them. */
  accounts: readonly PayableAccount[];
  account: PayableAccount | undefined;
  onChoose: (account: PayableAccount) => void;
}

/** The most accounts that have a button each. A person searches more than these by their names. */
const MOST_BUTTONS = 6;

function Choose({ accounts, account, onChoose }: ChooseProps) {
  useScans(scanAhead);
  return (
    <Stack gap="md" className={classes.choose}>
      <Title order={2}>{words.choose}</Title>
      {accounts.length <= MOST_BUTTONS ? (
        accounts.map((one) => (
          <Button
            key={one.id}
            size="xl"
            variant={one.id === account?.id ? 'filled' : 'default'}
            classNames={{ root: classes.account ?? '', label: classes.accountName ?? '' }}
            onClick={() => onChoose(one)}
          >
            {accountLabel(one)}
          </Button>
        ))
      ) : (
        <PayableAccountSelect label={words.find} size="lg" account={undefined} onAccount={(one) => one !== undefined && onChoose(one)} />
      )}
    </Stack>
  );
}
