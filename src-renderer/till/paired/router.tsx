import { Alert, Button, Center, Stack, useDirection } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, createRouter, Outlet } from '@tanstack/react-router';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { TillPage } from '../till-page.tsx';
import { parseTillSearch } from '../till-search.ts';

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Around });

function Around() {
  const { dir } = useDirection();
  return (
    <>
      <Notifications position={dir === 'rtl' ? 'bottom-left' : 'bottom-right'} limit={3} />
      <Outlet />
    </>
  );
}

/** What a fault of the page leaves: reading it anew makes no second sale. */
const Failed = () => (
  <Center mih="100dvh" p="lg">
    <Stack>
      <Alert color="red" title={messages.common.failed.title} />
      <Button onClick={() => location.reload()}>{messages.common.tryAgain}</Button>
    </Stack>
  </Center>
);

const till = createRoute({ getParentRoute: () => root, path: '/till', validateSearch: parseTillSearch, component: TillPage });

/** The only address of a paired device. Cookie and service worker count below its slash. */
export const createTillRouter = (queryClient: QueryClient) =>
  createRouter({
    routeTree: root.addChildren([till]),
    context: { queryClient },
    trailingSlash: 'always',
    defaultErrorComponent: Failed,
  });
