import { AsyncLocalStorage } from 'node:async_hooks';

/** One life of a node, from its start to its crash. */
export interface Life {
  alive: boolean;
}

/** The life whose code runs now. Every continuation and every timer belongs to the life that began it. */
export const running = new AsyncLocalStorage<Life>();

/** The node died before it answered. */
export class Down extends Error {}
