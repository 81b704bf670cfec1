// @ts-check
// Pay up to a budget each month:
// node pay-monthly.mjs https://pay.example/buyer 5000 grant.json https://…/incoming-payments/… 1200
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { OpenPaymentsClientError } from '@interledger/open-payments';
import { ask } from './ask.mjs';
import { client } from './client.mjs';

const [buyer = '', budget = '', file = '', receiver = '', value = ''] = process.argv.slice(2);
const { id: walletAddress, authServer, resourceServer, assetCode, assetScale } = await client.walletAddress.get({ url: buyer });

if (!existsSync(file)) {
  const limits = { debitAmount: { value: budget, assetCode, assetScale }, interval: `R/${new Date().toISOString()}/P1M` };
  const granted = await ask(authServer, [{ type: 'outgoing-payment', actions: ['create', 'read'], identifier: walletAddress, limits }]);
  writeFileSync(file, JSON.stringify(granted), { mode: 0o600 });
}
const { token } = JSON.parse(readFileSync(file, 'utf8'));

try {
  const payment = await client.outgoingPayment.create(
    { url: resourceServer, accessToken: token.value },
    { walletAddress, incomingPayment: receiver, debitAmount: { value, assetCode, assetScale }, metadata: { externalRef: 'May' } },
  );
  console.log(`Paid ${payment.debitAmount.value}, this month ${payment.grantSpentDebitAmount?.value} of ${budget}`);
} catch (error) {
  // 401 would mean that the token has expired; see rotate-and-revoke.mjs.
  if (!(error instanceof OpenPaymentsClientError && error.code === 'limit_exceeded')) throw error;
  const { spentDebitAmount } = await client.outgoingPayment.getGrantSpentAmounts({ url: resourceServer, accessToken: token.value });
  console.log(`Not this month: ${spentDebitAmount?.value ?? 0} of ${budget} are spent`);
}
