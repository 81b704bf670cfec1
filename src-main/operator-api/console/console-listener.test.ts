import { once } from 'node:events';
import { request } from 'node:https';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { connect } from 'node:tls';
import { generate } from 'selfsigned';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TlsContext } from '../../platform/public-address/tls-certificate.ts';
import { TestAuthenticator } from '../sign-in/testing/authenticator.ts';
import { type Answer, ask, type Headers, pageHeaders, type SignedIn } from '../testing/ask.ts';
import { type Desk, openDesk } from '../testing/desk.ts';
import type { RunningConsole } from './console-server.ts';

// A console on all addresses of the computer, at a URL on the network and with the node's own certificate.

const CONSOLE_URL = 'https://desk.example';

/** An address of this computer that others can reach. It is undefined where there is none. */
const outside = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

async function certificateOf(name: string): Promise<TlsContext> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], { algorithm: 'sha256' });
  return { cert, key };
}

let desk: Desk;
let running: RunningConsole;
let url: string;
let port: number;
let renew: (context: TlsContext) => void;
beforeEach(async () => {
  desk = openDesk();
  const certificate = {
    context: await certificateOf('desk.example'),
    onChange: (use: (context: TlsContext) => void) => {
      renew = use;
      return () => undefined;
    },
  };
  running = await desk.startConsole(0, { host: '0.0.0.0', consoleUrl: CONSOLE_URL, certificate });
  url = running.url;
  port = Number(new URL(url).port);
});
afterEach(async () => {
  await running.close();
  await desk.close();
});

const toTls = (host = '127.0.0.1') => ({ host, port, servername: 'desk.example', rejectUnauthorized: false });

/** Asks over TLS, as a browser elsewhere does. */
function askTls(method: string, path: string, headers: Headers, body?: unknown, host?: string): Promise<Answer> {
  const given = Object.fromEntries(Object.entries({ host: 'desk.example', ...headers }).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const outgoing = request({ ...toTls(host), method, path, agent: false, headers: { ...given, ...type } }, (incoming) => {
      let text = '';
      incoming.on('data', (chunk) => {
        text += String(chunk);
      });
      incoming.on('error', reject);
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: text }));
    });
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const page = (signedIn?: SignedIn): Headers => pageHeaders(CONSOLE_URL, signedIn);
const call = (operation: string, signedIn: SignedIn, input: object = {}) =>
  askTls('POST', `/operator/rpc/${operation}`, page(signedIn), { json: input });
const json = <T>(answer: Answer): T => (JSON.parse(answer.body) as { json: T }).json;

async function signIn(by: object): Promise<SignedIn> {
  const answer = await askTls('POST', '/operator/session', page(), by);
  expect(answer.status).toBe(201);
  expect(answer.headers['set-cookie']?.[0]).toMatch(/^__Host-paydesk=[\w-]{43}; Secure; HttpOnly; SameSite=Strict; Path=\//);
  return { cookie: answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '', ...(JSON.parse(answer.body) as { pageSecret: string }) };
}

async function ownerLink(): Promise<string> {
  const made = await desk.context.people.makeLink('owner');
  if (!made.ok) throw new Error(made.error);
  return made.value.secret;
}

it('over TLS a person makes a passkey and comes in by it, and hears at once when their session ends', async () => {
  const first = await signIn({ secret: await ownerLink() });
  expect((await call('people/list', first)).status).toBe(403);
  const { options } = json<{ options: { challenge: string } }>(await call('ways/beginPasskey', first));
  const device = new TestAuthenticator();
  const answer = device.register({ challenge: options.challenge, origin: CONSOLE_URL, rpId: 'desk.example' });
  expect((await call('ways/addPasskey', first, { name: 'Phone', answer })).status).toBe(200);
  const begun = JSON.parse((await askTls('POST', '/operator/passkey-challenges', page())).body) as { challenge: string; rpId: string };
  const signedIn = await signIn({ passkey: device.assert({ challenge: begun.challenge, origin: CONSOLE_URL, rpId: begun.rpId }) });
  expect((await call('people/list', signedIn)).status).toBe(200);

  const headers = { host: 'desk.example', ...page(signedIn) } as Record<string, string>;
  const stream = await new Promise<{ ended: Promise<unknown> }>((resolve, reject) => {
    const outgoing = request({ ...toTls(), path: '/operator/api/changes', agent: false, headers }, (incoming) => {
      const ended = new Promise((end) => incoming.once('close', end).on('error', () => undefined));
      incoming.once('data', () => resolve({ ended }));
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
  expect((await askTls('DELETE', '/operator/session', page(signedIn))).status).toBe(204);
  await stream.ended;
  expect((await call('people/me', signedIn)).status).toBe(401);
});

it('at this computer links, scripts and pages go on without encryption, and no way of the network does', async () => {
  const link = new URLSearchParams(new URL((await desk.api.createLink()).url).hash.slice(1)).get('link') ?? '';
  expect((await askTls('POST', '/operator/session', page(), { secret: link })).status).toBe(403);
  expect((await ask(url, 'POST', '/operator/session', pageHeaders(url), { secret: link })).status).toBe(201);
  const authorization = `Bearer ${desk.token()}`;
  expect((await ask(url, 'POST', '/operator/rpc/accounts/list', { authorization }, { json: {} })).status).toBe(200);
  expect((await askTls('POST', '/operator/rpc/accounts/list', { authorization }, { json: {} })).status).toBe(403);
  expect((await ask(url, 'GET', '/', { host: 'desk.example', accept: 'text/html' })).status).toBe(421);
  expect((await askTls('GET', '/', { host: `evil.example:${port}`, accept: 'text/html' })).status).toBe(421);
});

it.skipIf(outside === undefined)('from elsewhere the console speaks TLS only, and answers to its own name only', async () => {
  const far = `http://${outside}:${port}`;
  for (const host of ['desk.example', `localhost:${port}`, `${outside}:${port}`])
    await expect(ask(far, 'GET', '/', { host, accept: 'text/html' })).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(desk.logged.filter((line) => line.includes('without encryption'))).toHaveLength(1);
  const visit = (host: string) => askTls('GET', '/', { host, accept: 'text/html' }, undefined, outside);
  expect((await visit('desk.example')).status).toBe(200);
  for (const host of [`localhost:${port}`, `${outside}:${port}`, 'desk.example.evil.example'])
    expect((await visit(host)).status, host).toBe(421);
});

it('a renewed certificate is shown to the next browser', async () => {
  const shown = () =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(toTls(), () => {
        resolve(String(socket.getPeerCertificate().subject.CN));
        socket.destroy();
      }).on('error', reject);
    });
  expect(await shown()).toBe('desk.example');
  renew(await certificateOf('renewed.example'));
  expect(await shown()).toBe('renewed.example');
});

it('closes although connections are open that said nothing, began a handshake, or asked in plain text', async () => {
  const opened = ['', '\u0016', 'GET / HTTP/1.1\r\n'].map((text) => {
    const socket = createConnection({ host: '127.0.0.1', port }, () => socket.write(text)).on('error', () => undefined);
    return { connected: once(socket, 'connect'), closed: new Promise((end) => socket.once('close', end)) };
  });
  await Promise.all(opened.map(({ connected }) => connected));
  expect((await ask(url, 'GET', '/', { accept: 'text/html' })).status).toBe(200);
  await running.close();
  await Promise.all(opened.map(({ closed }) => closed));
  const free = createServer();
  await new Promise<void>((resolve) => free.listen(port, '127.0.0.1', resolve));
  expect((free.address() as AddressInfo).port).toBe(port);
  free.close();
  running = await desk.startConsole();
});
