import { AppShell, Group, Skeleton, Stack, Text, UnstyledButton } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Brand } from '../components/page/brand.tsx';
import { ConnectionBanner } from '../components/page/connection-banner.tsx';
import { Redirect } from '../components/page/redirect.tsx';
import { Status } from '../components/page/status.tsx';
import { mayOpen } from '../components/sections/addresses.ts';
import { sectionOf } from '../components/sections/sections.ts';
import { LockButton } from '../lock/lock-button.tsx';
import { frame } from '../theme.ts';
import { queries } from '../transport/operator-client.ts';
import { useMay, useMayRead } from '../transport/you.ts';
import classes from './desk.module.css';
import { NotYours } from './not-yours.tsx';
import { openPalette } from './palette/open-palette.ts';
import { Shortcuts } from './palette/shortcuts.tsx';
import { SideLinks, TabLinks } from './section-links.tsx';
import { SignedIn } from './signed-in.tsx';
import { useArrivals } from './use-arrivals.tsx';
import { useLooking } from './use-looking.ts';
import { useNews } from './use-news.tsx';

/** The console's frame: sections at the side, or below on a narrow screen, and the screen itself. */
export function Desk() {
  const reads = useMayRead();
  const accounts = useQuery({ ...queries.accounts.list.queryOptions({ input: { limit: 1 } }), enabled: reads });
  const { pathname } = useLocation();
  const isOpen = useMay(mayOpen(pathname));
  const waiting = useArrivals();
  useNews();
  useLooking();
  const main = useRef<HTMLElement>(null);
  useDocumentTitle(messages.common.title({ page: sectionOf(pathname)?.name ?? messages.common.product, waiting }));
  useFocusAfterNavigation(main, pathname);

  if (accounts.data?.items.length === 0) return <Redirect to="/welcome" />;
  // A cashier has no overview of the books.
  if (pathname === '/' && !reads) return <Redirect to="/get-paid" />;
  return (
    <AppShell
      padding={{ base: 'md', sm: 'xl' }}
      navbar={{ width: frame.navigation, breakpoint: frame.breakpoint, collapsed: { mobile: true } }}
      footer={{ height: { base: frame.mobileTabs, [frame.breakpoint]: 0 } }}
      transitionDuration={0}
    >
      <a className={classes.skip} href="#content">
        {messages.common.skipToContent}
      </a>
      <AppShell.Navbar className={classes.side} visibleFrom={frame.breakpoint}>
        <div className={classes.brand}>
          <Brand />
          <LockButton compact />
        </div>
        <UnstyledButton className={classes.search} onClick={openPalette}>
          <IconSearch size={16} aria-hidden />
          <span>{messages.palette.open}</span>
        </UnstyledButton>
        <SideLinks waiting={waiting} />
        <SignedIn />
        <NodeLine />
      </AppShell.Navbar>
      <AppShell.Footer className={classes.tabs} hiddenFrom={frame.breakpoint}>
        <TabLinks waiting={waiting} />
      </AppShell.Footer>
      <Shortcuts />
      <AppShell.Main id="content" tabIndex={-1} ref={main} className={classes.main}>
        <ConnectionBanner />
        {isOpen ? <Outlet /> : <NotYours may={mayOpen(pathname)} />}
      </AppShell.Main>
    </AppShell>
  );
}

/**
 * Moves the focus when another screen is shown, for users of screen readers. A control that has taken the focus keeps
 * it.
 */
function useFocusAfterNavigation(main: React.RefObject<HTMLElement | null>, pathname: string) {
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (main.current?.contains(document.activeElement) === true && document.activeElement !== main.current) return;
    main.current?.focus({ preventScroll: true });
  }, [main, pathname]);
}

/** Shows the state of the node in one line. */
function NodeLine() {
  const reads = useMayRead();
  const overview = useQuery({ ...queries.node.overview.queryOptions(), enabled: reads });
  const info = useQuery(queries.node.info.queryOptions());
  const worst =
    overview.data?.health.find(({ state }) => state === 'bad') ?? overview.data?.health.find(({ state }) => state === 'warning');
  const state = worst?.state ?? 'good';
  return (
    <Stack gap={2} className={classes.node}>
      {reads && (
        <Group gap={6} mih={22} wrap="nowrap">
          {overview.data === undefined ? (
            <Skeleton height={12} width={120} />
          ) : (
            <Status tone={state}>{messages.overview.healthInAll[state]}</Status>
          )}
        </Group>
      )}
      <Text size="xs" c="dimmed" mih={18} title={info.data?.development === true ? messages.common.development : undefined}>
        {info.data === undefined ? '' : messages.common.version({ version: info.data.version, development: info.data.development })}
      </Text>
    </Stack>
  );
}
