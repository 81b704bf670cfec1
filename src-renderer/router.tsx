import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { parseActivitySearch } from './activity/activity-search.ts';
import { parseAccountSearch } from './components/filters/search-params.ts';
import { withWords } from './components/language/load-words.ts';
import { parseRequestSearch } from './get-paid/request-search.ts';
import { parseLogSearch } from './health/log-search.ts';
import { parsePaySearch } from './pay/pay-search.ts';
import { parsePaymentSearch } from './payments/payment-search.ts';
import { parseRafikiSearch } from './peers/other-make/rafiki-search.ts';
import { parseReachSearch } from './reach/reach-search.ts';
import { Desk } from './shell/desk.tsx';
import { Frame } from './shell/frame.tsx';
import { NotFound, RouteFailed, RoutePending } from './shell/route-states.tsx';
import { parseTillSearch } from './till/till-search.ts';

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Frame, notFoundComponent: NotFound });

/** All screens with the sections around them. */
const desk = createRoute({ getParentRoute: () => root, id: 'desk', component: Desk });

const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  /** `account` is the account that was just created, so that a reload still shows its address. */
  validateSearch: (search): { account?: string } => (typeof search.account === 'string' ? { account: search.account } : {}),
  component: lazyRouteComponent(
    withWords(['accounts', 'problems', 'reach'], () => import('./welcome/welcome-page.tsx')),
    'WelcomePage',
  ),
});

const restore = createRoute({
  getParentRoute: () => root,
  path: '/restore',
  component: lazyRouteComponent(
    withWords(['settings'], () => import('./restore/restore-page.tsx')),
    'RestorePage',
  ),
});

const restored = createRoute({
  getParentRoute: () => root,
  path: '/restored',
  /** `id` is the id of the restore for which the page waits. */
  validateSearch: (search): { id?: string } => (typeof search.id === 'string' ? { id: search.id } : {}),
  component: lazyRouteComponent(
    withWords(['settings'], () => import('./restore/restored-page.tsx')),
    'RestoredPage',
  ),
});

/** The till has the whole screen for itself. */
const till = createRoute({
  getParentRoute: () => root,
  path: '/till',
  validateSearch: parseTillSearch,
  component: lazyRouteComponent(
    withWords(['accounts', 'problems', 'products', 'shop', 'till'], () => import('./till/till-page.tsx')),
    'TillPage',
  ),
});

const routeTree = root.addChildren([
  welcome,
  till,
  restore,
  restored,
  desk.addChildren([
    createRoute({
      getParentRoute: () => desk,
      path: '/',
      component: lazyRouteComponent(
        withWords(['apps', 'health', 'problems', 'shop'], () => import('./overview/overview-page.tsx')),
        'OverviewPage',
      ),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/get-paid',
      validateSearch: parseRequestSearch,
      component: lazyRouteComponent(
        withWords(['accounts', 'problems', 'shop', 'till'], () => import('./get-paid/get-paid-page.tsx')),
        'GetPaidPage',
      ),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/get-paid/$id',
      component: lazyRouteComponent(
        withWords(['accounts', 'problems', 'reach', 'shop', 'till'], () => import('./get-paid/request-page.tsx')),
        'RequestPage',
      ),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/payments',
      validateSearch: parsePaymentSearch,
      component: lazyRouteComponent(
        withWords(['accounts', 'till'], () => import('./payments/payments-page.tsx')),
        'PaymentsPage',
      ),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/pay',
      validateSearch: parsePaySearch,
      component: lazyRouteComponent(
        withWords(['accounts', 'problems', 'reach'], () => import('./pay/pay-page.tsx')),
        'PayPage',
      ),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/reach',
      validateSearch: parseReachSearch,
      component: lazyRouteComponent(
        withWords(['accounts', 'problems', 'reach'], () => import('./reach/reach-page.tsx')),
        'ReachPage',
      ),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/peers',
      component: lazyRouteComponent(
        withWords(['peers', 'problems'], () => import('./peers/peers-page.tsx')),
        'PeersPage',
      ),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/peers/new',
      component: lazyRouteComponent(
        withWords(['accounts', 'peers', 'problems'], () => import('./peers/new-peer-page.tsx')),
        'NewPeerPage',
      ),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/peers/invite',
      component: lazyRouteComponent(
        withWords(['accounts', 'peers', 'problems'], () => import('./peers/invitations/invite-page.tsx')),
        'InvitePage',
      ),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/peers/accept',
      component: lazyRouteComponent(
        withWords(['peers', 'problems'], () => import('./peers/invitations/accept-page.tsx')),
        'AcceptPage',
      ),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/peers/rafiki',
      validateSearch: parseRafikiSearch,
      component: lazyRouteComponent(
        withWords(['accounts', 'peers', 'problems'], () => import('./peers/other-make/rafiki-page.tsx')),
        'RafikiPage',
      ),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/peers/$id',
      component: lazyRouteComponent(
        withWords(['peers', 'problems'], () => import('./peers/peer-page.tsx')),
        'PeerPage',
      ),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/rates',
      component: lazyRouteComponent(
        withWords(['problems', 'rates'], () => import('./rates/rates-page.tsx')),
        'RatesPage',
      ),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/health',
      component: lazyRouteComponent(
        withWords(['health', 'problems'], () => import('./health/health-page.tsx')),
        'HealthPage',
      ),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/health/log',
      validateSearch: parseLogSearch,
      component: lazyRouteComponent(
        withWords(['health', 'problems'], () => import('./health/log-page.tsx')),
        'LogPage',
      ),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/activity',
      validateSearch: parseActivitySearch,
      component: lazyRouteComponent(
        withWords(['accounts', 'activity', 'apps', 'till'], () => import('./activity/activity-page.tsx')),
        'ActivityPage',
      ),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/products',
      component: lazyRouteComponent(
        withWords(['products'], () => import('./products/products-page.tsx')),
        'ProductsPage',
      ),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/closings',
      component: lazyRouteComponent(
        withWords(['problems', 'shop', 'till'], () => import('./closings/closings-page.tsx')),
        'ClosingsPage',
      ),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/closings/$number',
      component: lazyRouteComponent(
        withWords(['problems', 'shop', 'till'], () => import('./closings/closing-page.tsx')),
        'ClosingPage',
      ),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/receipts/$kind/$id',
      component: lazyRouteComponent(
        withWords(['accounts', 'problems', 'shop', 'till'], () => import('./receipts/receipt-page.tsx')),
        'ReceiptPage',
      ),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/reports',
      validateSearch: parseAccountSearch,
      component: lazyRouteComponent(
        withWords(['accounts', 'problems', 'shop', 'statements', 'till'], () => import('./reports/reports-page.tsx')),
        'ReportsPage',
      ),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/statements',
      validateSearch: parseAccountSearch,
      component: lazyRouteComponent(
        withWords(['accounts', 'statements'], () => import('./statements/statements-page.tsx')),
        'StatementsPage',
      ),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/settings',
      component: lazyRouteComponent(
        withWords(['accounts', 'problems', 'products', 'settings', 'shop', 'till'], () => import('./settings/settings-page.tsx')),
        'SettingsPage',
      ),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/payments/$id',
      component: lazyRouteComponent(
        withWords(['accounts', 'shop', 'till'], () => import('./payments/page/payment-page.tsx')),
        'PaymentPage',
      ),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/approvals',
      component: lazyRouteComponent(() => import('./approvals/approvals-page.tsx'), 'ApprovalsPage'),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/approvals/$id',
      component: lazyRouteComponent(
        withWords(['apps'], () => import('./approvals/approval-page.tsx')),
        'ApprovalPage',
      ),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/apps',
      component: lazyRouteComponent(
        withWords(['apps'], () => import('./apps/apps-page.tsx')),
        'AppsPage',
      ),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/apps/$grantId',
      component: lazyRouteComponent(
        withWords(['apps'], () => import('./apps/grant-page.tsx')),
        'GrantPage',
      ),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/accounts',
      component: lazyRouteComponent(
        withWords(['accounts'], () => import('./accounts/accounts-page.tsx')),
        'AccountsPage',
      ),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/accounts/new',
      component: lazyRouteComponent(
        withWords(['accounts'], () => import('./accounts/new-account-page.tsx')),
        'NewAccountPage',
      ),
    }),
    createRoute({
      getParentRoute: () => desk,
      path: '/accounts/$id',
      component: lazyRouteComponent(
        withWords(['accounts', 'shop', 'statements'], () => import('./accounts/account-page.tsx')),
        'AccountPage',
      ),
    }),
  ]),
]);

/** The console's addresses. Each screen is a file of its own, fetched with its words when it is first opened. */
export const createConsoleRouter = (queryClient: QueryClient) =>
  createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    // The screen of one thing starts again when it shows another one, because what was typed or shown belongs to the
    // first.
    defaultRemountDeps: ({ params }) => params,
    defaultErrorComponent: RouteFailed,
    defaultPendingComponent: RoutePending,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  });

/**
 * Fetches the code of the other screens as soon as the first one has its data, one after the other so that nothing
 * waits for them. The node may be away later, and the operator must still be able to open a screen then.
 */
export function fetchOtherScreens(router: ReturnType<typeof createConsoleRouter>, queryClient: QueryClient): void {
  const stop = router.subscribe('onRendered', () => {
    stop();
    void whenQuiet(queryClient).then(async () => {
      // A screen whose code does not come is fetched when the operator opens it.
      for (const route of Object.values(router.routesById)) await Promise.resolve(router.loadRouteChunk(route)).catch(() => undefined);
    });
  });
}

/** A screen has asked for all its data this long after mounting, in milliseconds. */
const ASKS_WITHIN_MS = 100;

/** Resolves when every answer the page has asked for so far is there. */
const whenQuiet = (queryClient: QueryClient): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(() => {
      const look = () => {
        if (queryClient.isFetching() > 0) return;
        stop();
        resolve();
      };
      const stop = queryClient.getQueryCache().subscribe(look);
      look();
    }, ASKS_WITHIN_MS);
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
