// @ts-check
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { isPendingGrant } from '@interledger/open-payments';
import { client } from './client.mjs';

/**
 * Asks a person for rights, on a page of their wallet, and waits until their browser comes back with the answer.
 * @param {string} authServer
 * @param {import('@interledger/open-payments').AccessItem[]} access
 */
export async function ask(authServer, access) {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const nonce = randomUUID();
  const finish = { method: /** @type {const} */ ('redirect'), uri: `http://127.0.0.1:${port}/back`, nonce };
  const pending = await client.grant.request({ url: authServer }, { access_token: { access }, interact: { start: ['redirect'], finish } });
  if (!isPendingGrant(pending)) throw new Error('nobody was asked');
  console.log(`Open ${pending.interact.redirect}`);

  const [request, response] = await once(server, 'request');
  response.setHeader('connection', 'close').end('Thank you. You can close this page.');
  server.close();
  const answer = new URL(request.url, finish.uri).searchParams;
  const reference = answer.get('interact_ref');
  if (reference === null) throw new Error(`The answer was no: ${answer.get('result')}`);
  // Proves that the answer belongs to this question.
  const lines = [nonce, pending.interact.finish, reference, authServer].join('\n');
  if (answer.get('hash') !== createHash('sha256').update(lines).digest('base64')) throw new Error('The hash is wrong');

  const { uri, access_token } = pending.continue;
  const granted = await client.grant.continue({ url: uri, accessToken: access_token.value }, { interact_ref: reference });
  if (!('access_token' in granted) || granted.access_token === undefined) throw new Error('no token');
  return { token: granted.access_token, continuation: granted.continue };
}
