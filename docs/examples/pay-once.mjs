// @ts-check
// Pay once: node pay-once.mjs https://pay.example/buyer https://pay.example/incoming-payments/…
import { setTimeout as sleep } from 'node:timers/promises';
import { isFinalizedGrantWithAccessToken } from '@interledger/open-payments';
import { ask } from './ask.mjs';
import { client } from './client.mjs';

const [buyer = '', receiver = ''] = process.argv.slice(2);
const { id: walletAddress, authServer, resourceServer } = await client.walletAddress.get({ url: buyer });

// What will it cost? The quote holds for five minutes.
const quoting = await client.grant.request({ url: authServer }, { access_token: { access: [{ type: 'quote', actions: ['create'] }] } });
if (!isFinalizedGrantWithAccessToken(quoting)) throw new Error('no token');
const quote = await client.quote.create(
  { url: resourceServer, accessToken: quoting.access_token.value },
  { walletAddress, receiver, method: 'ilp' },
);
console.log(`It costs ${quote.debitAmount.value}`);

// May I? For this receiver and this amount only.
const { token } = await ask(authServer, [
  {
    type: 'outgoing-payment',
    actions: ['create', 'read'],
    identifier: walletAddress,
    limits: { receiver, debitAmount: quote.debitAmount },
  },
]);

const accessToken = token.value;
let payment = await client.outgoingPayment.create({ url: resourceServer, accessToken }, { walletAddress, quoteId: quote.id });
while (!payment.failed && payment.sentAmount.value !== payment.debitAmount.value) {
  await sleep(200);
  payment = await client.outgoingPayment.get({ url: payment.id, accessToken });
}
console.log(payment.failed ? 'It failed' : `Paid ${payment.sentAmount.value}`);
