import { notifications } from '@mantine/notifications';
import { IconDeviceDesktop } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { queries } from '../../transport/operator-client.ts';
import { useStateCell } from '../../transport/state-cell.ts';
import { HeadButton } from '../head-button.tsx';
import { customerReads, customerSees } from './customer-sees.ts';
import { ASK_MS, CHANNEL, type Said } from './seen.ts';
import { TillEnd } from './till-end.ts';

const words = messages.till;

/** How long a window may take to open on a slow computer before the till says that none came, in milliseconds. */
const OPENS_WITHIN_MS = 15_000;

/**
 * Opens the window for the customer, or closes it. As long as the button is on the page, what the till shows goes to
 * that window.
 */
export function CustomerButton({ className }: { className?: string | undefined }) {
  const end = useTillEnd();
  const isOpen = useStateCell(end.isFollowed);
  const turn = () => (isOpen ? end.close() : open(end));
  return (
    <HeadButton
      {...{ className }}
      label={words.customer.title}
      isOn={isOpen}
      onClick={turn}
      icon={<IconDeviceDesktop size={24} aria-hidden />}
    />
  );
}

/** A window that the browser has opened follows the till. Nothing else tells whether there is one. */
function open(end: TillEnd): void {
  // Without an opener the window gets no copy of what this tab keeps, such as the secret of its session.
  window.open(`/customer.html#${end.id}`, '_blank', 'popup,noopener,width=1024,height=640');
  const tooLong = setTimeout(() => {
    stop();
    notifications.show({ message: words.customer.notOpened, color: 'orange', autoClose: 10_000 });
  }, OPENS_WITHIN_MS);
  const stop = end.isFollowed.watch(() => {
    clearTimeout(tooLong);
    stop();
  });
}

/** The till's end of the channel while the till is on the page. A page has one, however often the till is opened. */
function useTillEnd(): TillEnd {
  const { end, channel } = joined();
  const shop = useQuery(queries.shop.get.queryOptions()).data;
  const seen = useStateCell(customerSees);
  const account = useStateCell(customerReads);
  useEffect(() => {
    const hear = ({ data }: MessageEvent<Said>) => end.hear(data);
    channel.addEventListener('message', hear);
    const leave = () => end.leave();
    window.addEventListener('pagehide', leave);
    const looking = setInterval(() => end.look(), ASK_MS);
    return () => {
      clearInterval(looking);
      window.removeEventListener('pagehide', leave);
      channel.removeEventListener('message', hear);
      end.leave();
    };
  }, [end, channel]);
  useEffect(() => {
    end.show(seen, { name: shop?.profile.name || account, logo: shop?.logo ?? null });
  }, [end, seen, shop, account]);
  return end;
}

let own: { channel: BroadcastChannel; end: TillEnd } | undefined;

function joined() {
  if (own === undefined) {
    const channel = new BroadcastChannel(CHANNEL);
    const send = (said: Said) => channel.postMessage(said);
    own = { channel, end: new TillEnd({ id: crypto.randomUUID(), send, now: () => performance.now() }) };
  }
  return own;
}
