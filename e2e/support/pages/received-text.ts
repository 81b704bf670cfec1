import type { Page } from '@playwright/test';

/**
 * Collects every body that the page receives from its origin from now on, including the stream of changes that never
 * ends. It loads the page anew, so that the stream begins anew, too.
 * @returns a function that gives all of it so far, as text.
 */
export async function collectReceived(page: Page): Promise<() => string> {
  const pieces: Buffer[] = [];
  const keep = (base64: string | undefined) => pieces.push(Buffer.from(base64 ?? '', 'base64'));
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  devtools.on('Network.dataReceived', ({ data }) => keep(data));
  devtools.on('Network.responseReceived', ({ requestId }) => {
    // A body that came as a whole before the browser is asked for it is given at once, without a stream.
    devtools.send('Network.streamResourceContent', { requestId }).then(
      ({ bufferedData }) => keep(bufferedData),
      () =>
        devtools.send('Network.getResponseBody', { requestId }).then(
          ({ body, base64Encoded }) => pieces.push(Buffer.from(body, base64Encoded ? 'base64' : 'utf8')),
          () => undefined,
        ),
    );
  });
  await page.reload();
  return () => Buffer.concat(pieces).toString();
}
