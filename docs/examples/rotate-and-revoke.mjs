// @ts-check
// Rotate: node rotate-and-revoke.mjs grant.json. Revoke: node rotate-and-revoke.mjs grant.json revoke
import { readFileSync, writeFileSync } from 'node:fs';
import { client } from './client.mjs';

const [file = '', revoke] = process.argv.slice(2);
const { token, continuation } = JSON.parse(readFileSync(file, 'utf8'));

// A token lives ten minutes, and the grant lives on: an expired token can still be exchanged for a new one. Keep both
// values until the new one is stored. When the answer is lost, the same call within ten seconds gives it again.
const rotated = await client.token.rotate({ url: token.manage, accessToken: token.value });
writeFileSync(file, JSON.stringify({ token: rotated.access_token, continuation }), { mode: 0o600 });
console.log('Rotated: the old token is dead');

if (revoke === 'revoke') {
  await client.token.revoke({ url: rotated.access_token.manage, accessToken: rotated.access_token.value });
  // Ends the grant itself too. Payments that were made stay.
  await client.grant.cancel({ url: continuation.uri, accessToken: continuation.access_token.value });
  console.log('Revoked: nothing can be paid with this grant any more');
}
