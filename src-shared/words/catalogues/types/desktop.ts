// Written by scripts/generating/generate-message-types.mjs from the catalogues. Do not change it by hand.

export interface DesktopMessages {
  readonly dialogs: {
    readonly title: string;
    readonly saveTitle: string;
    readonly quit: {
      readonly message: (facts: { readonly underWay: number }) => string;
      readonly detail: string;
      readonly wait: string;
      readonly anyway: string;
      readonly stay: string;
    };
    readonly outside: {
      readonly message: (facts: { readonly host: string }) => string;
      readonly detail: string;
      readonly open: string;
      readonly stay: string;
    };
    readonly mail: {
      readonly message: string;
      readonly detail: string;
      readonly open: string;
    };
    readonly keepsBreaking: {
      readonly message: string;
      readonly detail: string;
      readonly openAgain: string;
      readonly leaveClosed: string;
    };
    readonly cannotGoOn: {
      readonly title: string;
      readonly unexpected: string;
    };
  };
  readonly notices: {
    readonly someApp: string;
    readonly into: (facts: { readonly account: string }) => string;
    readonly paymentFailed: string;
    readonly paymentFrom: (facts: { readonly account: string }) => string;
    readonly paymentOf: (facts: { readonly account: string; readonly amount: string }) => string;
    readonly claimWaits: string;
    readonly claimAdvice: (facts: { readonly account: string }) => string;
    readonly asks: (facts: { readonly app: string }) => string;
    readonly asksAdvice: string;
    readonly mostUsed: (facts: { readonly app: string }) => string;
    readonly allUsed: (facts: { readonly app: string }) => string;
    readonly spentOf: (facts: { readonly limit: string; readonly spent: string }) => string;
    readonly manyPaid: (facts: { readonly count: number }) => string;
    readonly manyFailed: (facts: { readonly count: number }) => string;
    readonly manyClaims: (facts: { readonly count: number }) => string;
    readonly manyAsk: (facts: { readonly count: number }) => string;
    readonly stateOf: (facts: { readonly account: string; readonly amount: string; readonly status: string }) => string;
  };
  readonly passphrase: {
    readonly open: {
      readonly title: string;
      readonly lead: string;
      readonly button: string;
    };
    readonly choose: {
      readonly title: string;
      readonly lead: string;
      readonly lost: string;
      readonly button: string;
    };
    readonly label: string;
    readonly again: string;
    readonly tooShort: string;
    readonly different: string;
    readonly wrong: string;
    readonly working: string;
  };
  readonly problems: {
    readonly noSuchCommand: string;
    readonly profileNotWritable: string;
    readonly keychainKeepsNoKey: string;
    readonly keychainDoesNotOpen: string;
  };
  readonly tray: {
    readonly tooltip: (facts: { readonly state: string }) => string;
    readonly running: string;
    readonly needsAttention: string;
    readonly quitsAfter: (facts: { readonly payments: number }) => string;
    readonly requestsWait: (facts: { readonly count: number }) => string;
    readonly open: string;
    readonly quit: string;
    readonly quitNow: string;
  };
}
