// Written by scripts/generating/generate-message-types.mjs from the catalogues. Do not change it by hand.

export interface ConsoleReachMessages {
  readonly pay: {
    readonly title: string;
    readonly lead: string;
    readonly steps: {
      readonly who: string;
      readonly amount: string;
      readonly confirm: string;
    };
    readonly change: string;
    readonly back: string;
    readonly from: string;
    readonly available: (facts: { readonly amount: string }) => string;
    readonly to: string;
    readonly toHint: string;
    readonly toNeeded: string;
    readonly find: string;
    readonly nameSaid: string;
    readonly yours: string;
    readonly asks: (facts: { readonly amount: string }) => string;
    readonly address: string;
    readonly paidIn: string;
    readonly asked: string;
    readonly exactly: string;
    readonly youPay: string;
    readonly theyGet: string;
    readonly amountYouPay: string;
    readonly amountTheyGet: string;
    readonly amountNeeded: (facts: { readonly example: string }) => string;
    readonly note: string;
    readonly noteHint: string;
    readonly getPrice: string;
    readonly leaves: string;
    readonly arrives: string;
    readonly costs: string;
    readonly rate: string;
    readonly noConversion: string;
    readonly holds: (facts: { readonly when: string }) => string;
    readonly ended: string;
    readonly newPrice: string;
    readonly confirm: (facts: { readonly amount: string }) => string;
    readonly irrevocable: string;
    readonly notEnough: string;
  };
  readonly reach: {
    readonly title: string;
    readonly lead: string;
    readonly check: string;
    readonly wallet: string;
    readonly walletHint: string;
    readonly walletNeeded: string;
    readonly account: string;
    readonly movesNothing: string;
    readonly start: string;
    readonly own: string;
    readonly name: string;
    readonly currency: string;
    readonly lines: string;
    readonly steps: {
      readonly answers: string;
      readonly speaks: string;
      readonly way_out: string;
      readonly way_back: string;
      readonly amount: string;
    };
    readonly states: {
      readonly good: string;
      readonly missing: string;
      readonly unknown: string;
      readonly not_tried: string;
    };
    readonly code: (facts: { readonly code: string }) => string;
    readonly backUnknown: string;
    readonly example: (facts: { readonly account: string; readonly arrives: string; readonly sent: string }) => string;
    readonly whole: string;
    readonly ask: string;
    readonly look: string;
    readonly outside: {
      readonly title: string;
      readonly notYet: string;
      readonly untried: string;
      readonly proven: string;
      readonly left: string;
      readonly steps: {
        readonly address: string;
        readonly peer: string;
        readonly paid: string;
      };
      readonly stepStates: {
        readonly done: string;
        readonly next: string;
        readonly later: string;
      };
      readonly untriedWords: string;
      readonly lastPaid: (facts: { readonly when: string }) => string;
      readonly see: {
        readonly settings: string;
        readonly health: string;
        readonly peers: string;
      };
      readonly getPaid: string;
    };
  };
}
