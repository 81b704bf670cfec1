import '@mantine/core/styles.css';
import '../../app.css';
import { DirectionProvider, MantineProvider } from '@mantine/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { directionOf, spoken } from '../../../src-shared/words/language/language.ts';
import { cssVariables, theme } from '../../theme.ts';
import { ofTab, remember, remembered } from '../../transport/browser-memory.ts';
import { useStateCell } from '../../transport/state-cell.ts';
import classes from './customer.module.css';
import { CustomerView } from './customer-view.tsx';
import { ScreenEnd } from './screen-end.ts';
import { ASK_MS, CHANNEL, type Said, type SeenShop } from './seen.ts';

const words = messages.till;
/** The shop whose till was here last, so that a screen that is loaded again names it before the till is back. */
const SHOP = 'paydesk-customer-shop';

/** Starts the page of the customer's screen. The fragment of its address is the id of the till that has opened it. */
export function startCustomerScreen(): void {
  const root = document.getElementById('root');
  if (root === null) throw new Error('customer.html has no #root');
  document.title = messages.common.title({ page: words.customer.title, waiting: 0 });
  const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="paydesk-style-nonce"]')?.content ?? '';
  const end = follow();
  createRoot(root).render(
    <StrictMode>
      <DirectionProvider initialDirection={directionOf(spoken())} detectDirection={false}>
        <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
          <Screen end={end} />
        </MantineProvider>
      </DirectionProvider>
    </StrictMode>,
  );
}

/** Follows the till as long as the page lives. */
function follow(): ScreenEnd {
  const channel = new BroadcastChannel(CHANNEL);
  const end = new ScreenEnd({
    till: location.hash.slice(1) || null,
    send: (said) => channel.postMessage(said),
    now: () => performance.now(),
    close: () => window.close(),
  });
  channel.onmessage = ({ data }: MessageEvent<Said>) => end.hear(data);
  end.shop.watch(() => remember(ofTab, SHOP, end.shop.get()?.name));
  end.till.watch(() => history.replaceState(null, '', `#${end.till.get() ?? ''}`));
  window.addEventListener('pagehide', () => end.leave());
  setInterval(() => end.tick(), ASK_MS);
  end.tick();
  return end;
}

function Screen({ end }: { end: ScreenEnd }) {
  const seen = useStateCell(end.seen);
  const shop = useStateCell(end.shop) ?? lastShop();
  return (
    <main className={classes.screen} data-kind={seen.kind} data-paid={(seen.kind === 'end' && seen.status === 'paid') || undefined}>
      <CustomerView seen={seen} shop={shop} />
      {document.fullscreenEnabled && (
        <button type="button" className={classes.full} onClick={() => void document.documentElement.requestFullscreen()}>
          {words.fullScreen}
        </button>
      )}
    </main>
  );
}

const lastShop = (): SeenShop => ({ name: remembered(ofTab, SHOP) ?? '', logo: null });
