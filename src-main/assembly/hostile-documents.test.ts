import { afterEach, describe, expect, it } from 'vitest';
import { ask } from '../operator-api/testing/ask.ts';
import { openDesk } from '../operator-api/testing/desk.ts';
import { EVERYTHING, pathOf } from './testing/error-cases.ts';
import { ORIGIN, openTestNode, type TestNode, Told } from './testing/test-node.ts';

/** It has a length that is no number. */
const HOSTILE: unknown = JSON.parse('{"length":{"toString":1}}');
const WALLET = 'https://wallet.example';
const RECEIVER = `${WALLET}/incoming-payments/1`;

let node: TestNode | undefined;
afterEach(async () => {
  await node?.close();
  node = undefined;
});

/** The same object with the hostile value in the place of each of its members, one at a time, also deep inside. */
function spoilt(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [HOSTILE];
  const isList = Array.isArray(value);
  const inside = Object.entries(value).flatMap(([key, member]) =>
    spoilt(member).map((other) => {
      const copy: unknown = isList ? [...value] : { ...value };
      Object.assign(copy as object, { [key]: other });
      return copy;
    }),
  );
  return [HOSTILE, ...inside];
}

describe('a value whose length is no number', () => {
  it('is refused with 400 in an unsigned grant request', async () => {
    node = await openTestNode();
    const request = {
      client: node.shop.url,
      access_token: { access: [{ type: 'incoming-payment', actions: ['create'], identifier: `${ORIGIN}/alice` }] },
      interact: { start: ['redirect'], finish: { method: 'redirect', uri: 'https://app.example/', nonce: 'n' } },
      subject: { sub_ids: [{ id: `${ORIGIN}/alice`, format: 'uri' }] },
    };
    const bodies = spoilt(request);
    expect(bodies.length).toBeGreaterThan(15);
    for (const body of bodies) {
      const payload = JSON.stringify(body);
      const answer = await node.app.inject({ method: 'POST', url: '/auth', headers: { 'content-type': 'application/json' }, payload });
      expect([payload, answer.statusCode]).toEqual([payload, 400]);
    }
  });

  it('is refused with 400 in calls of the operator', async () => {
    const desk = openDesk();
    const { url, close } = await desk.startConsole();
    const headers = { authorization: `Bearer ${desk.token()}` };
    const requestId = crypto.randomUUID();
    const calls: [path: string, body: object][] = [
      ['accounts', { requestId, name: 'till', publicName: 'Till', assetCode: 'USD', assetScale: 2, openingBalance: '0' }],
      ['restore', { bytes: 1 }],
    ];
    try {
      for (const [path, whole] of calls) {
        for (const body of spoilt(whole)) {
          const { status } = await ask(url, 'POST', `/operator/api/${path}`, headers, body);
          expect([path, JSON.stringify(body), status]).toEqual([path, JSON.stringify(body), 400]);
        }
      }
    } finally {
      await close();
      await desk.close();
    }
  });

  it('in a document of a receiver, its server or a client is refused like any other nonsense', async () => {
    node = await openTestNode();
    const { documents } = node;
    const token = await node.giveToken(EVERYTHING);
    const statuses = new Set<number>();
    const quote = async (): Promise<void> => {
      const body = { walletAddress: `${ORIGIN}/alice`, receiver: RECEIVER, method: 'ilp' };
      statuses.add((await node?.call({ method: 'POST', path: '/quotes', token, body }))?.status ?? 0);
      node?.clock.advance(60_000);
    };
    const grant = { access_token: { value: 't', manage: `${WALLET}/token/1`, access: [] }, continue: {} };
    for (const document of spoilt({ authServer: `${WALLET}/auth` })) {
      documents.set(RECEIVER, document);
      await quote();
    }
    documents.set(RECEIVER, { authServer: `${WALLET}/auth` });
    for (const answer of spoilt(grant)) {
      documents.set(`POST ${WALLET}/auth`, new Told(200, answer));
      await quote();
    }
    documents.set(`POST ${WALLET}/auth`, new Told(200, grant));
    const amount = { value: '7', assetCode: 'USD', assetScale: 2 };
    const payment = { id: RECEIVER, walletAddress: `${WALLET}/till`, completed: false, receivedAmount: amount, methods: [{ type: 'ilp' }] };
    for (const answer of spoilt(payment)) {
      documents.set(`GET ${RECEIVER}`, new Told(200, answer));
      await quote();
    }
    for (const document of spoilt({ keys: [{ kid: 'k', x: 'x', kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA' }] })) {
      documents.set('https://evil.example/x/jwks.json', document);
      const body = { client: 'https://evil.example/x', access_token: { access: [{ type: 'quote', actions: ['create'] }] } };
      statuses.add((await node.call({ method: 'POST', path: '/auth', body })).status);
    }
    expect([...statuses].filter((status) => status >= 500 || status < 400)).toEqual([]);
  });

  it('in the document of a visitor’s wallet is no wallet', async () => {
    node = await openTestNode();
    const { documents, app } = node;
    const made = await node.call({
      method: 'POST',
      path: '/incoming-payments',
      token: await node.giveToken(EVERYTHING),
      body: { walletAddress: `${ORIGIN}/alice`, incomingAmount: { value: '100', assetCode: 'USD', assetScale: 2 } },
    });
    const url = pathOf((made.body as { id: string }).id).replace('incoming-payments', 'pay');
    const wallet = { id: `${WALLET}/v`, assetCode: 'USD', assetScale: 2, authServer: `${WALLET}/auth`, resourceServer: WALLET };
    for (const [n, document] of spoilt(wallet).entries()) {
      documents.set(`${WALLET}/v`, document);
      const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN };
      const remoteAddress = `203.0.113.${n}`;
      const { statusCode, body } = await app.inject({ method: 'POST', url, headers, remoteAddress, payload: `wallet=${WALLET}/v` });
      expect([JSON.stringify(document), statusCode]).toEqual([JSON.stringify(document), 200]);
      expect(body).toMatch(/There is no wallet at this address|This wallet does not speak Open Payments/);
    }
  });
});
