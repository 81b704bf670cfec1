import type { Page } from '@playwright/test';

/**
 * Collects everything the page receives from its origin from now on: every body, also of the stream of changes that
 * never ends. Loads the page anew, so that the stream is begun anew too.
 * @returns a look at all of it so far, as text
 */
export async function collectReceived(page: Page): Promise<() => string> {
  const pieces: Buffer[] = [];
  const keep = (base64: string | undefined) => pieces.push(Buffer.from(base64 ?? '', 'base64'));
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  devtools.on('Network.dataReceived', ({ data }) => keep(data));
  devtools.on('Network.responseReceived', ({ requestId }) => {
    // A body that came whole before this is asked for is told at once, without a stream.
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
