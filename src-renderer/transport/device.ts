import { ORPCError } from '@orpc/client';
import { session } from './session.ts';
import { stateCell } from './state-cell.ts';

/**
 * What the node has said of the device at which this page is a till. `opening`: the page is finding out. `unpaired`: it
 * is no till, or no till any more.
 */
type DeviceState = 'opening' | 'open' | 'paused' | 'removed' | 'unpaired';

export const device = stateCell<DeviceState>('opening');

/** Why a pairing link was refused. */
export const pairingProblem = stateCell<'wrong' | 'ended' | 'too_many' | 'unreachable' | undefined>(undefined);

/** Whether this page is the till of a paired device, at the public address. Otherwise it is the console. */
export const onPairedTill = (): boolean => document.querySelector('meta[name="paydesk-till"]') !== null;

/**
 * The name under which the device keeps the secret of its page. It stays when the page is closed, as a till is every
 * evening. No page of others runs at this address.
 */
const KEPT_AS = 'paydesk-till-session';

/** A page of another origin cannot send the first header without the node's permission. */
export const deviceHeaders = (): Record<string, string> => ({
  'x-paydesk-console': '1',
  'x-paydesk-session': localStorage.getItem(KEPT_AS) ?? '',
});

/** Whether this device was paired, and has not heard that it is no till any more. */
const mayBePaired = (): boolean => localStorage.getItem(KEPT_AS) !== null;

/** Takes the secret of a pairing link out of the address bar, before anything else can see it. */
export function takePairingSecret(): string | undefined {
  const secret = pairingSecretIn(location.href);
  if (secret !== undefined) history.replaceState(null, '', location.pathname + location.search);
  return secret;
}

/** The secret in a pairing link, however it came. It is undefined for every other text. */
export function pairingSecretIn(link: string): string | undefined {
  const { hash = '' } = URL.parse(link.trim()) ?? {};
  return new URLSearchParams(hash.slice(1)).get('pair') ?? undefined;
}

/** Exchanges the secret of a pairing link, which works once, for a cookie and a secret that the page keeps. */
export async function pairDevice(secret: string): Promise<void> {
  pairingProblem.set(undefined);
  try {
    const answer = await fetch('/till/pair', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-paydesk-console': '1' },
      body: JSON.stringify({ secret }),
      credentials: 'same-origin',
    });
    const told = (await answer.json()) as { pageSecret?: string; error?: { code?: string } };
    if (told.pageSecret !== undefined) {
      localStorage.setItem(KEPT_AS, told.pageSecret);
      device.set('opening');
      session.set('open');
      return;
    }
    pairingProblem.set(answer.status === 429 ? 'too_many' : told.error?.code === 'link_ended' ? 'ended' : 'wrong');
  } catch {
    pairingProblem.set('unreachable');
  }
  // A till that was given an old code goes on as what it was.
  beginAsBefore();
}

/** Goes on as the till that this device was, if it was one. The node says whether it still is. */
export function beginAsBefore(): void {
  if (mayBePaired()) session.set('open');
  else device.set('unpaired');
}

const STATES: Readonly<Record<string, DeviceState>> = { TILL_PAUSED: 'paused', TILL_REMOVED: 'removed', TILL_NOT_PAIRED: 'unpaired' };

/** Notes what a refusal says of the device. A paused one asks again; one that is no till any more asks nothing. */
export function noteRefusal(error: unknown): void {
  const state = error instanceof ORPCError ? STATES[error.code] : undefined;
  if (state === undefined) return;
  device.set(state);
  if (state !== 'paused') session.set('none');
  if (state === 'unpaired') localStorage.removeItem(KEPT_AS);
}
