// Written by scripts/generating/generate-message-types.mjs from the catalogues. Do not change it by hand.

export interface ConsoleAppsMessages {
  readonly apps: {
    readonly title: string;
    readonly lead: string;
    readonly free: (facts: { readonly count: number }) => string;
    readonly showFree: string;
    readonly showAllowed: string;
    readonly search: string;
    readonly searchHint: string;
    readonly clearSearch: string;
    readonly orderLabel: string;
    readonly orders: {
      readonly used: string;
      readonly name: string;
      readonly newest: string;
      readonly oldest: string;
    };
    readonly unused: string;
    readonly noneFound: string;
    readonly noneFoundAdvice: string;
    readonly choose: (facts: { readonly client: string }) => string;
    readonly revokeChosen: (facts: { readonly count: number }) => string;
    readonly revokeChosenTitle: (facts: { readonly count: number }) => string;
    readonly revokeChosenWords: string;
    readonly none: string;
    readonly noneAdvice: string;
    readonly grantStates: {
      readonly pending: string;
      readonly approved: string;
      readonly issued: string;
      readonly denied: string;
      readonly lapsed: string;
      readonly revoked: string;
      readonly expired: string;
      readonly frozen: string;
    };
    readonly tokenStates: {
      readonly active: string;
      readonly expired: string;
      readonly rotated: string;
      readonly revoked: string;
    };
    readonly stages: {
      readonly asked: {
        readonly verb: string;
        readonly rights: string;
        readonly noBudgets: string;
        readonly noEnd: string;
      };
      readonly allowed: {
        readonly verb: string;
        readonly rights: string;
        readonly noBudgets: string;
        readonly noEnd: string;
      };
      readonly ended: {
        readonly verb: string;
        readonly rights: string;
        readonly noBudgets: string;
      };
      readonly refused: {
        readonly verb: string;
        readonly rights: string;
        readonly noBudgets: string;
      };
    };
    readonly asked: string;
    readonly askedLead: string;
    readonly limits: string;
    readonly noLimits: string;
    readonly spent: (facts: { readonly limit: string; readonly spent: string }) => string;
    readonly budgetKinds: {
      readonly debit: string;
      readonly receive: string;
    };
    readonly meter: (facts: { readonly kind: string }) => string;
    readonly resets: (facts: { readonly when: string }) => string;
    readonly window: (facts: { readonly end: string; readonly start: string }) => string;
    readonly never: string;
    readonly tokens: string;
    readonly tokensLead: string;
    readonly noTokens: string;
    readonly token: (facts: { readonly id: string }) => string;
    readonly expires: (facts: { readonly when: string }) => string;
    readonly expired: (facts: { readonly when: string }) => string;
    readonly created: (facts: { readonly when: string }) => string;
    readonly notFetched: string;
    readonly awaitsRotation: string;
    readonly rotate: string;
    readonly rotateOf: (facts: { readonly id: string }) => string;
    readonly rotateTitle: string;
    readonly rotateWords: string;
    readonly rotateConfirm: string;
    readonly rotated: string;
    readonly revokeToken: string;
    readonly revokeTokenOf: (facts: { readonly id: string }) => string;
    readonly revokeTokenTitle: string;
    readonly revokeTokenWords: string;
    readonly revokeTokenConfirm: string;
    readonly tokenRevoked: string;
    readonly frozen: string;
    readonly frozenWords: string;
    readonly frozenSince: string;
    readonly frozenLead: string;
    readonly chooseAll: string;
    readonly lookAtFrozen: string;
    readonly allowChosen: (facts: { readonly count: number }) => string;
    readonly allowChosenTitle: string;
    readonly allowChosenWords: (facts: { readonly count: number }) => string;
    readonly chosenAllowed: (facts: { readonly count: number }) => string;
    readonly chosenWait: (facts: { readonly count: number }) => string;
    readonly allowAgain: string;
    readonly allowAgainTitle: string;
    readonly allowAgainWords: (facts: { readonly client: string }) => string;
    readonly allowedAgain: string;
    readonly revokeGrant: string;
    readonly revokeGrantTitle: string;
    readonly revokeGrantWords: (facts: { readonly client: string }) => string;
    readonly revokeGrantConfirm: string;
    readonly grantRevoked: string;
    readonly revokeAll: string;
    readonly revokeAllOf: (facts: { readonly client: string }) => string;
    readonly revokeAllTitle: string;
    readonly revokeAllWords: (facts: { readonly client: string }) => string;
    readonly allRevoked: (facts: { readonly count: number }) => string;
    readonly used: (facts: { readonly when: string }) => string;
    readonly neverUsed: string;
    readonly payments: (facts: { readonly count: number }) => string;
    readonly facts: string;
    readonly fact: {
      readonly app: string;
      readonly state: string;
      readonly asked: string;
      readonly decided: string;
      readonly approvedBy: string;
      readonly payments: string;
      readonly lastUsed: string;
      readonly ends: string;
      readonly ended: string;
    };
    readonly notUsed: string;
    readonly levels: {
      readonly half: string;
      readonly low: string;
      readonly empty: string;
    };
    readonly trust: {
      readonly title: string;
      readonly lead: string;
      readonly usualWords: string;
      readonly tiers: {
        readonly stranger: string;
        readonly known: string;
        readonly trusted: string;
      };
      readonly chosen: string;
      readonly own: string;
      readonly keyOnly: string;
      readonly usual: (facts: { readonly tier: string }) => string;
      readonly usualPlain: string;
      readonly noLimit: string;
      readonly limitTexts: {
        readonly requestsPerSecond: (facts: { readonly most: number }) => string;
        readonly failuresPerSecond: (facts: { readonly most: number }) => string;
        readonly outboundPerSecond: (facts: { readonly most: number }) => string;
        readonly bytesPerHour: (facts: { readonly most: number }) => string;
        readonly rows: (facts: { readonly most: number }) => string;
        readonly processorPerSecond: (facts: { readonly most: number }) => string;
      };
    };
    readonly decide: string;
    readonly byYou: string;
    readonly byRule: string;
    readonly grants: (facts: { readonly count: number }) => string;
    readonly since: (facts: { readonly when: string }) => string;
  };
}
