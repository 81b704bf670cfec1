import { type ClientContext, type ClientLink, createORPCClient, ORPCError, onError } from '@orpc/client';
import { RPCLink as FetchLink } from '@orpc/client/fetch';
import { RPCLink as PortLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import { CONNECT } from '../../src-shared/desktop-channel.ts';
import { LOCKED } from '../../src-shared/locked-error.ts';
import type { contract } from '../../src-shared/operator-contract/contract.ts';
import { deviceHeaders, noteRefusal, onPairedTill } from './device.ts';
import { overhear } from './heard.ts';
import { lockedOut } from './lock-state.ts';
import { callHeaders, sessionLost } from './session.ts';

/** Every operation of the contract as an async function. */
type OperatorClient = ContractRouterClient<typeof contract>;

declare global {
  interface Window {
    /** The desktop app's preload script puts it there. It is absent in a browser. */
    readonly paydesk?: { readonly host: 'desktop' };
  }
}

type Link = ClientLink<ClientContext>;

/** Whether the page is the window of the desktop app. */
export const onDesktop = (): boolean => window.paydesk !== undefined;

/** Opens a private channel to the node in the main process. The preload script hands it over. */
function openPort(): Link {
  const { port1, port2 } = new MessageChannel();
  const link = new PortLink({ port: port1 });
  window.postMessage(CONNECT, location.origin, [port2]);
  port1.start();
  return link;
}

const openFetch = (): Link =>
  new FetchLink({
    url: `${location.origin}${onPairedTill() ? '/till/rpc' : '/operator/rpc'}`,
    headers: onPairedTill() ? deviceHeaders : callHeaders,
    fetch: async (request, init) => overhear(await fetch(request, { ...init, credentials: 'same-origin' })),
    interceptors: [
      onError((error) => {
        if (onPairedTill()) noteRefusal(error);
        else if (error instanceof ORPCError && error.status === 401) sessionLost();
      }),
    ],
  });

async function open(): Promise<Link> {
  if (import.meta.env.DEV && new URLSearchParams(location.search).has('fake')) {
    const { openFakeNode } = await import('../testing/fake-node.ts');
    return openFakeNode();
  }
  return onDesktop() ? openPort() : openFetch();
}

let current: Promise<Link> | undefined;

/** Makes the next call open a new channel: a port does not survive a restart of the node behind it. */
export function reopenTransport(): void {
  if (onDesktop()) current = undefined;
}

const link: Link = {
  call: async (path, input, options) => {
    current ??= open();
    try {
      return await (await current).call(path, input, options);
    } catch (error) {
      if (error instanceof ORPCError && error.code === LOCKED.code) lockedOut();
      throw error;
    }
  },
};

export const client: OperatorClient = createORPCClient(link);

/** Query and mutation options and keys for every operation. See query-keys.ts for what a change invalidates. */
export const queries = createTanstackQueryUtils(client);
