// Written by scripts/generating/generate-message-types.mjs from the catalogues. Do not change it by hand.

export interface ConsoleSignInMessages {
  readonly ways: {
    readonly title: string;
    readonly lead: string;
    readonly none: string;
    readonly noneAdvice: string;
    readonly add: string;
    readonly addTitle: string;
    readonly addWords: string;
    readonly name: string;
    readonly nameHint: string;
    readonly nameNeeded: string;
    readonly make: string;
    readonly added: (facts: { readonly name: string }) => string;
    readonly notMade: string;
    readonly known: string;
    readonly lastUsed: (facts: { readonly when: string }) => string;
    readonly neverUsed: string;
    readonly worksAt: (facts: { readonly domain: string }) => string;
    readonly paused: string;
    readonly remove: string;
    readonly removeNamed: (facts: { readonly name: string }) => string;
    readonly removeTitle: (facts: { readonly name: string }) => string;
    readonly removeWords: string;
    readonly removed: (facts: { readonly name: string }) => string;
    readonly notHere: (facts: { readonly address: string }) => string;
    readonly notSupported: string;
    readonly password: {
      readonly title: string;
      readonly lead: string;
      readonly set: string;
      readonly replace: string;
      readonly remove: string;
      readonly removeTitle: string;
      readonly removeWords: string;
      readonly removed: string;
      readonly signInName: string;
      readonly signInNameHint: string;
      readonly password: string;
      readonly passwordHint: (facts: { readonly count: number }) => string;
      readonly tooShort: (facts: { readonly count: number }) => string;
      readonly next: string;
      readonly appTitle: string;
      readonly appWords: string;
      readonly qrLabel: string;
      readonly byHand: string;
      readonly key: string;
      readonly code: string;
      readonly codeNeeded: string;
      readonly done: string;
      readonly have: (facts: { readonly name: string }) => string;
      readonly left: (facts: { readonly count: number }) => string;
    };
    readonly codes: {
      readonly renew: string;
      readonly renewTitle: string;
      readonly renewWords: string;
      readonly title: string;
      readonly words: string;
      readonly save: string;
      readonly file: string;
      readonly have: string;
    };
    readonly signIn: {
      readonly title: string;
      readonly withPasskey: string;
      readonly passkeyHint: string;
      readonly withPassword: string;
      readonly code: string;
      readonly signIn: string;
      readonly refused: string;
      readonly notDone: string;
      readonly wrong: string;
      readonly wait: (facts: { readonly time: string }) => string;
      readonly busy: string;
      readonly other: string;
      readonly remoteNone: string;
      readonly remoteRefused: string;
    };
    readonly setUp: {
      readonly title: string;
      readonly lead: string;
      readonly code: string;
      readonly hint: string;
      readonly go: string;
      readonly wrong: string;
    };
    readonly first: {
      readonly title: (facts: { readonly name: string }) => string;
      readonly titleUnnamed: string;
      readonly words: string;
      readonly instead: string;
    };
  };
}
