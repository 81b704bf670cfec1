import type { Page } from '@playwright/test';

type Listener = (event: { data: unknown }) => void;

/**
 * A port to the node behind a desktop window, seen from the test: handed over by the page exactly as the console does it,
 * so that a test can act as the operator beside the console.
 */
export async function openPagePort(page: Page) {
  const listeners: Listener[] = [];
  const name = `port${crypto.randomUUID().replaceAll('-', '')}`;
  await page.exposeFunction(`${name}Receive`, (data: unknown) => {
    for (const listener of listeners) listener({ data });
  });
  await page.evaluate((name) => {
    const { port1, port2 } = new MessageChannel();
    const receive: (data: unknown) => void = Reflect.get(window, `${name}Receive`);
    port1.addEventListener('message', ({ data }) => receive(data));
    port1.start();
    Reflect.set(window, name, port1);
    window.postMessage('paydesk:connect', location.origin, [port2]);
  }, name);
  return {
    on: (event: string, listener: (event?: { data: unknown }) => void) => {
      if (event === 'message') listeners.push(listener);
    },
    postMessage: (data: unknown) => {
      // A page that has gone has no more answers; the caller notices by its own time limit.
      page.evaluate(({ name, data }) => Reflect.get(window, name).postMessage(data), { name, data }).catch(() => undefined);
    },
  };
}
