import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '../../app.css';
import { DirectionProvider, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { directionOf, spoken } from '../../../src-shared/words/language/language.ts';
import { cssVariables, theme } from '../../theme.ts';
import { beginAsBefore, pairDevice, takePairingSecret } from '../../transport/device.ts';
import { keepLive } from '../../transport/live.ts';
import { createQueryClient } from '../../transport/query-client.ts';
import { keepShell } from './keep-shell.ts';
import { PairedTill } from './paired-till.tsx';
import { readTill } from './read-till.ts';
import { createTillRouter } from './router.tsx';

const queryClient = createQueryClient();
const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="paydesk-style-nonce"]')?.content ?? '';
const router = createTillRouter(queryClient);

function begin(): void {
  const secret = takePairingSecret();
  if (secret === undefined) beginAsBefore();
  else void pairDevice(secret);
}

begin();
void keepLive(queryClient, readTill);
void keepShell();
// When a pairing link is opened in a tab that shows the till already, only the fragment changes.
window.addEventListener('hashchange', () => {
  const secret = takePairingSecret();
  if (secret !== undefined) void pairDevice(secret);
});

const root = document.getElementById('root');
if (root === null) throw new Error('till.html has no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <DirectionProvider initialDirection={directionOf(spoken())} detectDirection={false}>
        <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
          <PairedTill router={router} />
        </MantineProvider>
      </DirectionProvider>
    </QueryClientProvider>
  </StrictMode>,
);
