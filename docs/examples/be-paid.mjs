// @ts-check
// Be paid: node be-paid.mjs https://pay.example/shop 1250
import { setTimeout as sleep } from 'node:timers/promises';
import { isFinalizedGrantWithAccessToken } from '@interledger/open-payments';
import { client } from './client.mjs';

const [shop = '', value = ''] = process.argv.slice(2);
const { id: walletAddress, authServer, resourceServer, assetCode, assetScale } = await client.walletAddress.get({ url: shop });

// Nobody has to be asked for the right to be paid.
const grant = await client.grant.request(
  { url: authServer },
  { access_token: { access: [{ type: 'incoming-payment', actions: ['create', 'read'], identifier: walletAddress }] } },
);
if (!isFinalizedGrantWithAccessToken(grant)) throw new Error('no token');
const accessToken = grant.access_token.value;

const invoice = await client.incomingPayment.create(
  { url: resourceServer, accessToken },
  { walletAddress, incomingAmount: { value, assetCode, assetScale }, metadata: { description: 'Two books', externalRef: 'INV-7' } },
);
console.log(`Pay to ${invoice.id}`);

for (;;) {
  const { completed, receivedAmount } = await client.incomingPayment.get({ url: invoice.id, accessToken });
  if (completed) {
    console.log(`Received ${receivedAmount.value}`);
    break;
  }
  await sleep(500);
}
