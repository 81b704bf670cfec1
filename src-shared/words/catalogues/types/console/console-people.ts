// Written by scripts/generating/generate-message-types.mjs from the catalogues. Do not change it by hand.

export interface ConsolePeopleMessages {
  readonly people: {
    readonly title: string;
    readonly lead: string;
    readonly alone: string;
    readonly aloneAdvice: string;
    readonly inApp: string;
    readonly invite: string;
    readonly inviteTitle: string;
    readonly name: string;
    readonly nameHint: string;
    readonly nameNeeded: string;
    readonly role: string;
    readonly roles: {
      readonly owner: string;
      readonly manager: string;
      readonly cashier: string;
      readonly accountant: string;
    };
    readonly may: {
      readonly owner: string;
      readonly manager: string;
      readonly cashier: string;
      readonly accountant: string;
    };
    readonly limits: {
      readonly title: string;
      readonly lead: string;
      readonly none: {
        readonly cashier: (facts: { readonly currency: string }) => string;
        readonly manager: (facts: { readonly currency: string }) => string;
      };
      readonly upTo: {
        readonly cashier: (facts: { readonly perDay: string; readonly perPayment: string }) => string;
        readonly manager: (facts: { readonly perDay: string; readonly perPayment: string }) => string;
      };
      readonly titleOf: {
        readonly cashier: (facts: { readonly currency: string }) => string;
        readonly manager: (facts: { readonly currency: string }) => string;
      };
      readonly allow: {
        readonly cashier: string;
        readonly manager: string;
      };
      readonly perPayment: string;
      readonly perPaymentHint: string;
      readonly perDay: string;
      readonly perDayHint: string;
      readonly amountNeeded: (facts: { readonly example: string }) => string;
      readonly saved: string;
    };
    readonly wait: {
      readonly title: string;
      readonly acts: {
        readonly pay: (facts: { readonly amount: string; readonly whom: string }) => string;
        readonly refund: (facts: { readonly amount: string; readonly whom: string }) => string;
        readonly claim: (facts: { readonly amount: string }) => string;
        readonly approve: (facts: { readonly amount: string; readonly whom: string }) => string;
        readonly approveAny: (facts: { readonly whom: string }) => string;
        readonly again: (facts: { readonly amount: string; readonly whom: string }) => string;
        readonly againAny: (facts: { readonly whom: string }) => string;
        readonly less: {
          readonly money: (facts: { readonly amount: string }) => string;
          readonly approvals: (facts: { readonly amount: string }) => string;
        };
        readonly off: {
          readonly money: (facts: { readonly currency: string }) => string;
          readonly approvals: (facts: { readonly currency: string }) => string;
        };
      };
      readonly asked: (facts: { readonly name: string; readonly until: string; readonly when: string }) => string;
      readonly yours: (facts: { readonly until: string; readonly when: string }) => string;
      readonly confirm: string;
      readonly refuse: string;
      readonly withdraw: string;
      readonly confirmTitle: (facts: { readonly name: string }) => string;
      readonly confirmWords: string;
      readonly done: string;
      readonly refused: string;
      readonly withdrawn: string;
      readonly fact: {
        readonly from: string;
        readonly to: string;
        readonly leaves: string;
        readonly arrives: string;
        readonly note: string;
      };
    };
    readonly second: {
      readonly title: string;
      readonly lead: string;
      readonly off: {
        readonly money: (facts: { readonly currency: string }) => string;
        readonly approvals: (facts: { readonly currency: string }) => string;
      };
      readonly on: {
        readonly money: (facts: { readonly amount: string }) => string;
        readonly approvals: (facts: { readonly amount: string }) => string;
      };
      readonly titleOf: {
        readonly money: (facts: { readonly currency: string }) => string;
        readonly approvals: (facts: { readonly currency: string }) => string;
      };
      readonly need: string;
      readonly above: string;
      readonly nobody: string;
      readonly saved: string;
    };
    readonly you: string;
    readonly unnamed: string;
    readonly keyOf: (facts: { readonly name: string }) => string;
    readonly linkTitle: (facts: { readonly name: string }) => string;
    readonly linkWords: (facts: { readonly name: string }) => string;
    readonly link: string;
    readonly linkDone: string;
    readonly invited: (facts: { readonly when: string }) => string;
    readonly lapsed: string;
    readonly waiting: (facts: { readonly when: string }) => string;
    readonly paused: string;
    readonly allowAgain: string;
    readonly allowAgainNamed: (facts: { readonly name: string }) => string;
    readonly allowAgainTitle: (facts: { readonly name: string }) => string;
    readonly allowAgainWords: (facts: { readonly name: string }) => string;
    readonly allowedAgain: (facts: { readonly name: string }) => string;
    readonly linkWordsElsewhere: (facts: { readonly name: string }) => string;
    readonly sessions: (facts: { readonly count: number }) => string;
    readonly newLink: string;
    readonly newLinkNamed: (facts: { readonly name: string }) => string;
    readonly change: string;
    readonly changeNamed: (facts: { readonly name: string }) => string;
    readonly changeTitle: (facts: { readonly name: string }) => string;
    readonly changeHint: (facts: { readonly name: string }) => string;
    readonly changed: (facts: { readonly name: string }) => string;
    readonly save: string;
    readonly remove: string;
    readonly removeNamed: (facts: { readonly name: string }) => string;
    readonly hasPin: string;
    readonly removePin: string;
    readonly removePinNamed: (facts: { readonly name: string }) => string;
    readonly removePinTitle: (facts: { readonly name: string }) => string;
    readonly removePinWords: (facts: { readonly name: string }) => string;
    readonly pinRemoved: (facts: { readonly name: string }) => string;
    readonly removeTitle: (facts: { readonly name: string }) => string;
    readonly removeWords: (facts: { readonly name: string }) => string;
    readonly removed: (facts: { readonly name: string }) => string;
    readonly byPerson: (facts: { readonly name: string; readonly role: string }) => string;
    readonly byKey: (facts: { readonly name: string; readonly role: string }) => string;
    readonly byScript: string;
    readonly byYou: string;
    readonly of: (facts: { readonly name: string; readonly role: string }) => string;
    readonly notYours: {
      readonly title: string;
      readonly owner: string;
      readonly managers: string;
      readonly readers: string;
      readonly till: string;
      readonly asRole: (facts: { readonly role: string }) => string;
      readonly action: string;
    };
    readonly askOwner: string;
  };
}
