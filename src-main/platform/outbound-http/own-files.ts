import { request as httpRequest, type IncomingMessage } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { isLoopbackAddress } from './addresses.ts';
import type { LookUp } from './names.ts';

/** An answer whose body is read piece by piece, however long it is. */
interface OpenedFile {
  readonly status: number;
  readonly body: AsyncIterable<Buffer>;
}

/**
 * Asks the node on this computer for a file. Unlike other answers it may have any length and take any time. It goes to
 * no other computer, and follows no redirect.
 * @throws Error when nobody answers there.
 */
export async function openOwnFile(text: string, headers: Readonly<Record<string, string>>, lookUp: LookUp): Promise<OpenedFile> {
  const url = new URL(text);
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (url.protocol !== 'http:' || (isIP(literal) !== 0 && !isLoopbackAddress(literal))) throw notHere();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(url, { headers, lookup: onlyHere(lookUp), agent: false }, resolve)
      .on('error', reject)
      .end();
  });
  return { status: response.statusCode ?? 0, body: response };
}

const notHere = () => new Error('not an address of this computer');

/** Looks a host up, and lets only addresses of this computer pass. */
const onlyHere =
  (lookUp: LookUp): LookupFunction =>
  (hostname, options, done) => {
    lookUp(hostname, AbortSignal.timeout(5_000)).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined || !addresses.every(({ address }) => isLoopbackAddress(address))) done(notHere(), '');
        else if (options.all) done(null, [...addresses]);
        else done(null, first.address, first.family);
      },
      (error: Error) => done(error, ''),
    );
  };
