import type { Session } from 'electron';
import { expect, it, vi } from 'vitest';
import { cutOff, forbidNames, forbidWebRtc, mayRequest } from './network.ts';

type Listener = (request: { url: string }, answer: (said: { cancel: boolean }) => void) => void;

const OWN = [
  'paydesk-app://console/',
  'paydesk-app://console/assets/a.js',
  'blob:paydesk-app://console/4be1',
  'data:image/png;base64,AA==',
];
const ELSEWHERE = [
  'https://shop.example/',
  'http://127.0.0.1:3000/',
  'http://localhost/',
  'ws://127.0.0.1:3000/',
  'wss://shop.example/',
  'ftp://shop.example/',
  'file:///etc/passwd',
  'blob:https://shop.example/4be1',
  'paydesk-app://other/',
  'chrome://gpu',
  'devtools://devtools/bundled/inspector.html',
  'no url',
  '',
];

it('a window may request the console and nothing else', () => {
  for (const url of OWN) expect(mayRequest(url, false), url).toBe(true);
  for (const url of ELSEWHERE) expect(mayRequest(url, false), url).toBe(false);
  expect(mayRequest('devtools://devtools/bundled/inspector.html', true)).toBe(true);
});

it('the session cancels every other request, and leads what nobody sees to nowhere', async () => {
  const onBeforeRequest = vi.fn<(listener: Listener) => void>();
  const setProxy = vi.fn<Session['setProxy']>().mockResolvedValue(undefined);
  await cutOff({ webRequest: { onBeforeRequest }, setProxy }, false);
  const listener = onBeforeRequest.mock.calls[0]?.[0];
  const answerTo = (url: string) => {
    let said = {};
    listener?.({ url }, (answer) => {
      said = answer;
    });
    return said;
  };
  for (const url of OWN) expect(answerTo(url), url).toEqual({ cancel: false });
  for (const url of ELSEWHERE) expect(answerTo(url), url).toEqual({ cancel: true });
  expect(setProxy).toHaveBeenCalledWith({ mode: 'fixed_servers', proxyRules: 'http://proxy.invalid:9', proxyBypassRules: '<-loopback>' });
});

it('the window has no WebRTC and no names of hosts', () => {
  const setWebRTCIPHandlingPolicy = vi.fn<(policy: string) => void>();
  forbidWebRtc({ setWebRTCIPHandlingPolicy });
  expect(setWebRTCIPHandlingPolicy).toHaveBeenCalledWith('disable_non_proxied_udp');
  const appendSwitch = vi.fn<(name: string, value?: string) => void>();
  forbidNames({ commandLine: { appendSwitch } as never });
  expect(appendSwitch).toHaveBeenCalledWith('host-resolver-rules', 'MAP * ~NOTFOUND');
});
