import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './app.css';
import { DirectionProvider, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { directionOf, spoken } from '../src-shared/words/language/language.ts';
import { speakWith } from './components/language/load-words.ts';
import { handOverWhenIdle } from './lock/hand-over-when-idle.ts';
import { reportUse } from './lock/report-use.ts';
import { createConsoleRouter, fetchOtherScreens } from './router.tsx';
import { Console } from './shell/console.tsx';
import { openSession } from './shell/open-session.ts';
import { cssVariables, theme } from './theme.ts';
import { keepLive } from './transport/live.ts';
import { createQueryClient } from './transport/query-client.ts';
import { askOtherTabs, comeBack, redeemLink, session, takeLinkSecret } from './transport/session.ts';
import { you } from './transport/you.ts';

const queryClient = createQueryClient();

const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="paydesk-style-nonce"]')?.content ?? '';
const router = createConsoleRouter(queryClient);
fetchOtherScreens(router, queryClient);

const secret = takeLinkSecret();
// The code of the screen is fetched while the page asks the node whether the screen may be shown.
const screen = router.load().catch(() => undefined);
void openSession(queryClient, secret === undefined ? askOtherTabs().then(() => 'open') : redeemLink(secret), screen);
void keepLive(queryClient);
reportUse();
handOverWhenIdle(queryClient);

you.watch(() => {
  const id = you.get()?.person?.id;
  if (id !== undefined) speakWith(id);
});

session.watch(() => {
  const back = session.get() === 'returning' ? comeBack() : undefined;
  if (back !== undefined) void openSession(queryClient, back);
});

// When a console link is opened in a tab that shows the console already, only the fragment changes.
window.addEventListener('hashchange', () => {
  const next = takeLinkSecret();
  if (next !== undefined) void openSession(queryClient, redeemLink(next));
});

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <DirectionProvider initialDirection={directionOf(spoken())} detectDirection={false}>
        <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
          <Console router={router} />
        </MantineProvider>
      </DirectionProvider>
    </QueryClientProvider>
  </StrictMode>,
);
