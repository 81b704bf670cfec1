// Written by scripts/generating/generate-message-types.mjs from the catalogues. Do not change it by hand.

export interface ConsoleProductsMessages {
  readonly products: {
    readonly title: string;
    readonly lead: string;
    readonly add: string;
    readonly toTill: string;
    readonly none: string;
    readonly noneAdvice: string;
    readonly noneReader: string;
    readonly searchLabel: string;
    readonly searchHint: string;
    readonly clearSearch: string;
    readonly noneFound: string;
    readonly noneFoundAdvice: string;
    readonly sales: (facts: { readonly count: number }) => string;
    readonly needsTaxRate: string;
    readonly addTitle: string;
    readonly changeTitle: (facts: { readonly name: string }) => string;
    readonly name: string;
    readonly nameNeeded: string;
    readonly price: string;
    readonly priceHint: string;
    readonly priceWithTax: string;
    readonly priceBeforeTax: string;
    readonly priceNeeded: string;
    readonly currency: string;
    readonly tax: string;
    readonly noTax: string;
    readonly goneTax: string;
    readonly code: string;
    readonly codeHint: string;
    readonly colour: string;
    readonly colours: {
      readonly none: string;
      readonly red: string;
      readonly orange: string;
      readonly yellow: string;
      readonly green: string;
      readonly teal: string;
      readonly blue: string;
      readonly violet: string;
      readonly pink: string;
    };
    readonly save: string;
    readonly added: (facts: { readonly name: string }) => string;
    readonly changed: (facts: { readonly name: string }) => string;
    readonly remove: string;
    readonly removeTitle: (facts: { readonly name: string }) => string;
    readonly removeWords: string;
    readonly removed: (facts: { readonly name: string }) => string;
    readonly noAccount: string;
  };
}
