// Written by scripts/generating/generate-message-types.mjs from the catalogues. Do not change it by hand.

export interface ConsoleShopMessages {
  readonly shop: {
    readonly title: string;
    readonly lead: string;
    readonly readOnly: string;
    readonly name: string;
    readonly nameHint: string;
    readonly showsAddresses: string;
    readonly showsAddressesHint: string;
    readonly address: string;
    readonly addressHint: string;
    readonly addressTooLong: string;
    readonly taxNumber: string;
    readonly taxNumberHint: string;
    readonly closingLine: string;
    readonly closingLineHint: string;
    readonly colour: string;
    readonly colourHint: string;
    readonly colourNone: string;
    readonly dayEnds: string;
    readonly dayEndsHint: string;
    readonly homeCurrency: string;
    readonly homeCurrencyHint: string;
    readonly save: string;
    readonly saved: string;
    readonly logo: {
      readonly title: string;
      readonly alt: string;
      readonly choose: string;
      readonly replace: string;
      readonly remove: string;
      readonly hint: string;
      readonly saved: string;
      readonly removed: string;
    };
    readonly tax: {
      readonly title: string;
      readonly none: string;
      readonly name: string;
      readonly nameNeeded: string;
      readonly rate: string;
      readonly rateWrong: string;
      readonly isDefault: string;
      readonly remove: (facts: { readonly name: string }) => string;
      readonly add: string;
      readonly prices: string;
      readonly included: string;
      readonly added: string;
      readonly rounding: string;
      readonly perLine: string;
      readonly perTotal: string;
    };
  };
  readonly closings: {
    readonly title: string;
    readonly lead: string;
    readonly current: string;
    readonly numbered: (facts: { readonly number: string }) => string;
    readonly since: string;
    readonly sinceBeginning: string;
    readonly until: string;
    readonly day: string;
    readonly days: string;
    readonly daysOf: (facts: { readonly time: string; readonly zone: string }) => string;
    readonly by: string;
    readonly owner: string;
    readonly taxNumber: (facts: { readonly number: string }) => string;
    readonly print: string;
    readonly close: string;
    readonly closeTitle: string;
    readonly closeWords: string;
    readonly closed: (facts: { readonly number: string }) => string;
    readonly former: string;
    readonly none: string;
    readonly nothing: string;
    readonly opening: string;
    readonly sales: string;
    readonly refunds: string;
    readonly sent: string;
    readonly deposits: string;
    readonly withdrawals: string;
    readonly closing: string;
    readonly difference: (facts: { readonly amount: string }) => string;
    readonly madeBy: string;
    readonly till: string;
    readonly desk: string;
    readonly people: string;
    readonly taxes: string;
    readonly tax: (facts: { readonly name: string; readonly net: string; readonly rate: string }) => string;
    readonly tips: string;
    readonly failures: (facts: { readonly count: number }) => string;
    readonly times: (facts: { readonly count: number }) => string;
    readonly hash: string;
    readonly hashBefore: string;
    readonly changed: string;
    readonly changedWords: string;
    readonly isNot: string;
    readonly ofThisTips: string;
  };
  readonly receipts: {
    readonly button: string;
    readonly none: string;
    readonly issue: string;
    readonly printedTimes: (facts: { readonly count: number }) => string;
    readonly take: {
      readonly title: string;
      readonly words: string;
    };
    readonly link: string;
    readonly payers: {
      readonly title: string;
      readonly words: string;
    };
    readonly toTill: string;
    readonly isNot: string;
  };
}
