import { createHash } from 'node:crypto';
import { ok } from '../../platform/result.ts';
import type { CheckoutParts } from '../checkouts.ts';

export const WALLET = {
  id: 'https://wallet.example/ann',
  publicName: 'Ann',
  assetCode: 'EUR',
  assetScale: 2,
  authServer: 'https://auth.wallet.example/',
  resourceServer: 'https://wallet.example',
};
export const eur = (value: bigint) => ({ value, assetCode: 'EUR', assetScale: 2 });

/** Another wallet, as this node sees it. A test can change each answer. */
export function otherWallet() {
  const told: string[] = [];
  let nonce = '';
  let uri = '';
  let receiver = '';
  const answers = {
    find: async () => ok(WALLET) as Awaited<ReturnType<CheckoutParts['directory']['find']>>,
    quote: async (): ReturnType<CheckoutParts['payments']['createQuote']> =>
      ok({ id: 'https://wallet.example/quotes/1', receiver: '', debitAmount: eur(900n), receiveAmount: eur(1n), expiresAt: undefined }),
    request: async (): ReturnType<CheckoutParts['paymentGrants']['request']> =>
      ok({
        authServer: WALLET.authServer,
        interactUrl: 'https://auth.wallet.example/interact/1',
        continueUri: 'https://auth.wallet.example/continue/1',
        continueToken: 'continue-secret',
        serverNonce: 'server-nonce',
      }),
    continue: async (): ReturnType<CheckoutParts['paymentGrants']['continue']> =>
      ok({ state: 'granted', token: 'token-secret', manageUrl: 'https://auth.wallet.example/token/1', expiresAt: null }),
    pay: async (): ReturnType<CheckoutParts['payments']['createOutgoingPayment']> => ok(outgoing(0n)),
    anyBack: async (): ReturnType<CheckoutParts['reach']['anyBack']> => undefined,
    why: async (): ReturnType<CheckoutParts['reach']['whyNoPrice']> => 'wallet_refused',
    look: async (): ReturnType<CheckoutParts['payments']['getOutgoingPayment']> => ok(outgoing(900n)),
  };
  const outgoing = (sent: bigint, failed = false) => ({
    id: 'https://wallet.example/outgoing-payments/1',
    receiver: '',
    debitAmount: eur(900n),
    receiveAmount: eur(1n),
    sentAmount: eur(sent),
    failed,
  });
  const parts: Pick<CheckoutParts, 'directory' | 'paymentGrants' | 'payments' | 'reach'> = {
    reach: { anyBack: () => answers.anyBack(), whyNoPrice: () => answers.why() },
    directory: { find: () => answers.find() },
    paymentGrants: {
      request: (wanted) => {
        ({ nonce, uri } = wanted.finish);
        receiver = wanted.receiver;
        return answers.request();
      },
      continue: (wanted) => {
        told.push(`continue ${wanted.interactRef}`);
        return answers.continue();
      },
      cancel: async () => void told.push('cancel'),
    },
    payments: {
      createQuote: () => answers.quote(),
      createOutgoingPayment: ({ quoteId }) => {
        told.push(`pay ${quoteId}`);
        return answers.pay();
      },
      getOutgoingPayment: () => answers.look(),
    },
  };
  /** What the wallet's server sends along with the browser. */
  const yes = (interactRef = 'the-interact-ref') => ({
    interact_ref: interactRef,
    hash: createHash('sha256').update([nonce, 'server-nonce', interactRef, WALLET.authServer].join('\n')).digest('base64'),
  });
  return { answers, parts, told, yes, outgoing, finishUri: () => uri, receiver: () => receiver };
}
