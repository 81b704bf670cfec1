import type { Page } from '@playwright/test';
import { CONNECT } from '../../../src-shared/desktop-channel.ts';

/**
 * A port from the test to the node behind a desktop window. The page hands it over exactly as the console does, so that
 * a test can act as the operator outside the console. A page that was reloaded hands over a new one.
 */
export async function openPagePort(page: Page) {
  const listeners: ((event: { data: unknown }) => void)[] = [];
  const name = `port${crypto.randomUUID().replaceAll('-', '')}`;
  await page.exposeFunction(`${name}Receive`, (data: unknown) => {
    for (const listener of listeners) listener({ data });
  });
  const send = (message: { name: string; data: unknown }) =>
    page.evaluate(
      ({ name, data, channel }) => {
        const connect = (): MessagePort => {
          const { port1, port2 } = new MessageChannel();
          const receive: (data: unknown) => void = Reflect.get(window, `${name}Receive`);
          port1.addEventListener('message', (event) => receive(event.data));
          port1.start();
          Reflect.set(window, name, port1);
          window.postMessage(channel, location.origin, [port2]);
          return port1;
        };
        const port: MessagePort = Reflect.get(window, name) ?? connect();
        port.postMessage(data);
      },
      { ...message, channel: CONNECT },
    );
  return {
    on: (event: string, listener: (event?: { data: unknown }) => void) => {
      if (event === 'message') listeners.push(listener);
    },
    postMessage: (data: unknown) => {
      // A page that is gone answers no more. The caller's own time limit then ends the wait.
      send({ name, data }).catch(() => undefined);
    },
  };
}
