// Written by scripts/generating/generate-message-types.mjs from the catalogues. Do not change it by hand.

export interface ConsoleAccountsMessages {
  readonly accounts: {
    readonly title: string;
    readonly lead: string;
    readonly add: string;
    readonly searchLabel: string;
    readonly searchHint: string;
    readonly clearSearch: string;
    readonly noneFound: string;
    readonly noneFoundAdvice: string;
    readonly addTitle: string;
    readonly created: (facts: { readonly name: string }) => string;
    readonly balance: string;
    readonly canBeSpent: string;
    readonly setAside: string;
    readonly walletAddress: string;
    readonly qrLabel: (facts: { readonly address: string }) => string;
    readonly onlyHereShort: string;
    readonly deposit: string;
    readonly withdraw: string;
    readonly depositTitle: (facts: { readonly name: string }) => string;
    readonly withdrawTitle: (facts: { readonly name: string }) => string;
    readonly depositSentence: string;
    readonly withdrawSentence: string;
    readonly amount: string;
    readonly note: string;
    readonly noteHint: string;
    readonly amountNeeded: (facts: { readonly example: string }) => string;
    readonly amountZero: string;
    readonly balanceAfter: string;
    readonly notEnough: string;
    readonly confirmDeposit: (facts: { readonly amount: string }) => string;
    readonly confirmWithdraw: (facts: { readonly amount: string }) => string;
    readonly confirmDepositEmpty: string;
    readonly confirmWithdrawEmpty: string;
    readonly deposited: (facts: { readonly amount: string }) => string;
    readonly withdrawn: (facts: { readonly amount: string }) => string;
    readonly movements: string;
    readonly movementKinds: {
      readonly deposit: string;
      readonly withdrawal: string;
      readonly received: string;
      readonly sent: string;
      readonly reserved: string;
      readonly returned: string;
    };
    readonly movementWith: (facts: { readonly kind: string; readonly name: string }) => string;
    readonly noMovements: string;
    readonly noMovementsAdvice: string;
    readonly keys: string;
    readonly keysLead: string;
    readonly noKeys: string;
    readonly addKey: string;
    readonly addKeyTitle: string;
    readonly keyLabel: string;
    readonly keyLabelHint: string;
    readonly keyLabelNeeded: string;
    readonly jwk: string;
    readonly jwkExample: string;
    readonly jwkNeeded: string;
    readonly chooseFile: string;
    readonly keyWay: string;
    readonly keyGiven: string;
    readonly keyMade: string;
    readonly keyMadeWords: string;
    readonly keyCannot: string;
    readonly keyCannotAdvice: string;
    readonly makePair: string;
    readonly handOverTitle: string;
    readonly onceTitle: string;
    readonly onceWords: string;
    readonly downloadPrivate: string;
    readonly handedOver: string;
    readonly keyAdded: (facts: { readonly label: string }) => string;
    readonly keyId: string;
    readonly addedOn: (facts: { readonly when: string }) => string;
    readonly revokedOn: (facts: { readonly when: string }) => string;
    readonly revokeKey: string;
    readonly revokeKeyOf: (facts: { readonly label: string }) => string;
    readonly revokeKeyTitle: (facts: { readonly label: string }) => string;
    readonly revokeKeyWords: string;
    readonly keyRevoked: (facts: { readonly label: string }) => string;
  };
  readonly welcome: {
    readonly title: string;
    readonly lead: string;
    readonly recordsMoney: string;
    readonly publicName: string;
    readonly publicNameHint: string;
    readonly publicNameNeeded: string;
    readonly addressName: string;
    readonly addressNameHint: string;
    readonly addressNameInvalid: string;
    readonly addressNameReserved: (facts: { readonly name: string }) => string;
    readonly addressPreview: string;
    readonly currency: string;
    readonly currencyHint: string;
    readonly currencyPlaceholder: string;
    readonly currencyNeeded: string;
    readonly currencyNone: string;
    readonly other: string;
    readonly ownCode: string;
    readonly ownCodeHint: string;
    readonly ownCodeInvalid: string;
    readonly ownScale: string;
    readonly ownScaleHint: string;
    readonly ownScaleInvalid: string;
    readonly openingBalance: string;
    readonly currencyFirst: string;
    readonly openingBalanceHint: string;
    readonly create: string;
    readonly createFirst: string;
    readonly haveBackup: string;
    readonly restore: string;
    readonly ready: string;
    readonly readyLead: (facts: { readonly name: string }) => string;
    readonly onlyHere: string;
    readonly onlyHereAdvice: string;
    readonly next: string;
    readonly peers: {
      readonly missing: {
        readonly title: string;
        readonly words: string;
      };
      readonly there: {
        readonly title: string;
        readonly words: string;
      };
    };
    readonly steps: readonly [
      {
        readonly title: string;
        readonly words: string;
      },
      {
        readonly title: string;
        readonly words: string;
      },
      {
        readonly title: string;
        readonly words: string;
      },
    ];
    readonly toOverview: string;
  };
}
