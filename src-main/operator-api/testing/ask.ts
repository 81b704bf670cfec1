import { type IncomingHttpHeaders, request } from 'node:http';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Headers = Record<string, string | undefined>;

/** Sends a request with exactly these headers, also with ones that browsers and `fetch` do not let a caller set. */
export function ask(url: string, method: string, path: string, headers: Headers = {}, body?: unknown): Promise<Answer> {
  const content = body === undefined ? undefined : JSON.stringify(body);
  const type = content === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) };
  const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, url), { method, headers: { ...type, ...given } }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk: string) => {
        text += chunk;
      });
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: text }));
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(content);
  });
}

/** What a browser and its page have when the operator is signed in. */
export interface SignedIn {
  cookie: string;
  pageSecret: string;
}

/** The headers that the console's own page sends with every call. */
export const pageHeaders = (url: string, signedIn?: SignedIn): Headers => ({
  origin: url,
  'sec-fetch-site': 'same-origin',
  'x-paydesk-console': '1',
  cookie: signedIn?.cookie,
  'x-paydesk-session': signedIn?.pageSecret,
});

interface Followed {
  closed: Promise<void>;
  isOpen(): boolean;
  leave(): void;
}

/** Opens a stream of events and resolves when the first event has arrived. */
export function follow(url: string, path: string, headers: Headers): Promise<Followed> {
  const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, url), { headers: given }, (incoming) => {
      const closed = new Promise<void>((end) => {
        incoming.once('close', end);
      });
      // A test that waits for the end of a stream does not care about the error that ended it.
      incoming.on('error', () => undefined);
      incoming.once('data', () => resolve({ closed, isOpen: () => !incoming.destroyed, leave: () => outgoing.destroy() }));
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}
