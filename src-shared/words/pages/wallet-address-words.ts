/** What a person reads who opens a wallet address in a browser. */
export const walletAddressWords = {
  title: (payee: string) => `Pay ${payee}`,
  pay: 'Pay',
  amountIn: (currency: string) => `Amount in ${currency}`,
  continue: 'Go on',
  forApps: 'Or give this wallet address to an app or a wallet that can pay with Open Payments:',
} as const;
