import { stateCell } from '../transport/state-cell.ts';

// What the till remembers in this browser. A browser that keeps nothing forgets it with the page.

const ACCOUNT = 'paydesk-till-account';
const MUTED = 'paydesk-till-muted';
const SALE = 'paydesk-till-sale';

function read(storage: () => Storage, name: string): string | undefined {
  try {
    return storage().getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

function write(storage: () => Storage, name: string, text: string | undefined): void {
  try {
    if (text === undefined) storage().removeItem(name);
    else storage().setItem(name, text);
  } catch {
    // The till works without it.
  }
}

const ofBrowser = () => localStorage;
const ofTab = () => sessionStorage;

/** The id of the account into which this till takes money. */
export const rememberedAccount = (): string | undefined => read(ofBrowser, ACCOUNT);
export const rememberAccount = (id: string): void => write(ofBrowser, ACCOUNT, id);

/** Whether this till makes no sound. */
export const muted = stateCell(read(ofBrowser, MUTED) === 'true');
muted.watch(() => write(ofBrowser, MUTED, muted.get() ? 'true' : undefined));

/** What was charged, before the node has answered that there is such a sale. */
export interface Draft {
  /** Names the intention: however often it is sent, the node makes one sale. */
  requestId: string;
  accountId: string;
  amount: bigint;
  description: string | undefined;
}

/** Keeps what was charged, so that a reload before the node's answer makes the same sale and no other. */
export const keepDraft = ({ amount, ...draft }: Draft): void => write(ofTab, SALE, JSON.stringify({ ...draft, amount: amount.toString() }));

/** What was charged under this id. It is undefined once the node has answered. */
export function draftOf(id: string): Draft | undefined {
  const text = read(ofTab, SALE);
  if (text === undefined) return undefined;
  const { requestId, accountId, amount, description }: Record<string, unknown> = JSON.parse(text);
  if (requestId !== id || typeof accountId !== 'string' || typeof amount !== 'string') return undefined;
  return { requestId: id, accountId, amount: BigInt(amount), description: typeof description === 'string' ? description : undefined };
}

export function forgetDraft(id: string): void {
  if (draftOf(id) !== undefined) write(ofTab, SALE, undefined);
}
