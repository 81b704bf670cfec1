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
}
