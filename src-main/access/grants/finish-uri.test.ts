import { describe, expect, test } from 'vitest';
import { interactionHash, isFinishUri, withParameters } from './finish-uri.ts';

describe('the browser', () => {
  test.each([
    'https://shop.example/back',
    'https://shop.example:8443/back?a=b#c',
    'http://localhost:3999/',
    'http://127.0.0.1:3999/cb',
    'http://[::1]:3999/cb',
    'com.example.app:/callback',
    'com.example.app://callback?x=y',
  ])('may be sent to %s', (uri) => expect(isFinishUri(uri)).toBe(true));

  test.each([
    '',
    'not a url',
    '/relative',
    'http://shop.example/back',
    'http://localhost.shop.example/',
    'http://127.0.0.1.shop.example/',
    'http://192.168.0.1/',
    'https://user@shop.example/back',
    'https://user:pass@shop.example/back',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,hi',
    'file:///etc/passwd',
    'blob:https://shop.example/1',
    'about:blank',
    'ftp://shop.example/',
    'ws://localhost/',
    'myapp:/callback',
    'chrome-extension://abc/page.html',
    'https://shop.example/a b',
    'https://shop.example/\r\nset-cookie: a=b',
    `https://shop.example/${'a'.repeat(2048)}`,
  ])('may not be sent to %j', (uri) => expect(isFinishUri(uri)).toBe(false));
});

test.each([
  ['https://a.example/b', 'https://a.example/b?hash=x%2By%3D'],
  ['https://a.example/b?q=1%202', 'https://a.example/b?q=1%202&hash=x%2By%3D'],
  ['https://a.example/b?', 'https://a.example/b?hash=x%2By%3D'],
  ['https://a.example/b?q#f', 'https://a.example/b?q&hash=x%2By%3D#f'],
  ['com.example.app:/cb', 'com.example.app:/cb?hash=x%2By%3D'],
])('a parameter that is added to %s leaves the rest as it was', (uri, expected) => {
  expect(withParameters(uri, { hash: 'x+y=' })).toBe(expected);
});

test('the hash of the interaction equals that of the test vectors (protocol-notes.md#PN-14)', () => {
  const ours = {
    clientNonce: 'client-nonce',
    serverNonce: 'as-nonce',
    interactRef: 'interact-ref',
    endpoint: 'http://127.0.0.1:3000/auth',
  };
  expect(interactionHash(ours)).toBe('C63yHgwqJGAIOHoZCeWmR/QoTMHqaKzREb7mzYi+XPE=');
  const rfc = {
    clientNonce: 'VJLO6A4CATR0KRO',
    serverNonce: 'MBDOFXG4Y5CVJCX821LH',
    interactRef: '4IFWWIKYB2PQ6U56NL1',
    endpoint: 'https://server.example.com/tx',
  };
  expect(interactionHash(rfc)).toBe('x+gguKWTj8rQf7d7i3w3UhzvuJ5bpOlKyAlVpLxBffY=');
});
