// Written by scripts/generating/generate-message-types.mjs from the catalogues. Do not change it by hand.

export interface ConsoleMessages {
  readonly common: {
    readonly product: string;
    readonly skipToContent: string;
    readonly navigation: string;
    readonly pages: {
      readonly overview: string;
      readonly getPaid: string;
      readonly till: string;
      readonly payments: string;
      readonly approvals: string;
      readonly apps: string;
      readonly appsShort: string;
      readonly accounts: string;
      readonly reports: string;
      readonly statements: string;
      readonly pay: string;
      readonly peers: string;
      readonly rates: string;
      readonly reach: string;
      readonly health: string;
      readonly activity: string;
      readonly settings: string;
    };
    readonly groups: {
      readonly access: string;
      readonly money: string;
      readonly node: string;
    };
    readonly more: string;
    readonly seeSettings: string;
    readonly title: (facts: { readonly page: string; readonly waiting: number }) => string;
    readonly waiting: (facts: { readonly count: number }) => string;
    readonly version: (facts: { readonly development: boolean; readonly version: string }) => string;
    readonly development: string;
    readonly cancel: string;
    readonly close: string;
    readonly tryAgain: string;
    readonly loadMore: string;
    readonly loading: string;
    readonly command: string;
    readonly copy: string;
    readonly copied: string;
    readonly copyOf: (facts: { readonly what: string }) => string;
    readonly showAll: string;
    readonly showPassword: string;
    readonly none: string;
    readonly amount: {
      readonly notANumber: (facts: { readonly decimal: string; readonly whole: string }) => string;
      readonly tooLarge: string;
    };
    readonly connection: {
      readonly lost: string;
      readonly lostAdvice: string;
    };
    readonly notFound: {
      readonly title: string;
      readonly advice: string;
      readonly action: string;
    };
    readonly failed: {
      readonly title: string;
      readonly crashed: string;
      readonly crashedAdvice: string;
    };
    readonly session: {
      readonly opening: string;
      readonly refusedTitle: string;
      readonly refusedAdvice: string;
      readonly noneTitle: string;
      readonly noneAdvice: string;
      readonly already: string;
      readonly goOn: string;
    };
    readonly backTo: {
      readonly overview: string;
      readonly getPaid: string;
      readonly payments: string;
      readonly approvals: string;
      readonly apps: string;
      readonly accounts: string;
      readonly pay: string;
      readonly peers: string;
      readonly rates: string;
      readonly reach: string;
      readonly health: string;
      readonly closings: string;
      readonly activity: string;
      readonly settings: string;
    };
  };
  readonly errors: {
    readonly byCode: {
      readonly NOT_FOUND: string;
      readonly NAME_TAKEN: string;
      readonly TOO_LARGE: string;
      readonly REQUEST_ID_TAKEN: string;
      readonly INSUFFICIENT_BALANCE: string;
      readonly INVALID_KEY: string;
      readonly PRIVATE_KEY: string;
      readonly KEY_ID_TAKEN: string;
      readonly EXPIRED: string;
      readonly INVALID_BILL: string;
      readonly BILL_DIFFERS: string;
      readonly INVALID_EXPIRY: string;
      readonly ENDED: string;
      readonly NOT_WAITING: string;
      readonly CHANGED: string;
      readonly LIMIT_NEEDED: string;
      readonly PAYEE_UNKNOWN: string;
      readonly PAYEE_UNREACHABLE: string;
      readonly PAYEE_REFUSED: string;
      readonly PAYEE_BUSY: string;
      readonly PAYEE_CLOSED: string;
      readonly PAYER_UNKNOWN: string;
      readonly REFUND_TOO_MUCH: string;
      readonly PAID_UNKNOWN: string;
      readonly BOOKS_BUSY: string;
      readonly REFUND_MORE_THAN_PAID: string;
      readonly REFUND_PRICE_CHANGED: string;
      readonly REFUND_COSTS_TOO_MUCH: string;
      readonly NO_REFUND_LIMIT: string;
      readonly NOT_TODAYS_SALE: string;
      readonly OVER_PAYMENT_LIMIT: string;
      readonly OVER_DAY_LIMIT: string;
      readonly CLAIM_OPEN: string;
      readonly WAITS_FOR_SECOND: string;
      readonly NEEDS_A_PERSON: string;
      readonly TOO_MANY_WAITING: string;
      readonly WAITING_ENDED: string;
      readonly SAME_PERSON: string;
      readonly FIRST_GONE: string;
      readonly NOT_ALLOWED_YOURSELF: string;
      readonly PRICE_CHANGED: string;
      readonly CANNOT_BE_DONE: string;
      readonly NO_SECOND_PERSON: string;
      readonly NO_PICTURE: string;
      readonly CLOSED_MEANWHILE: string;
      readonly BAD_PERIOD: string;
      readonly TOO_MANY_MOVEMENTS: string;
      readonly TOO_MANY: string;
      readonly BOOKS_DIFFER: string;
      readonly UNSUITABLE: string;
      readonly TOO_MANY_LINES: string;
      readonly DATEV_NEEDED: string;
      readonly ACCOUNTS_DIFFER: string;
      readonly TWO_YEARS: string;
      readonly AMOUNT_NEEDED: string;
      readonly AMOUNT_REFUSED: string;
      readonly AMOUNT_TOO_SMALL: string;
      readonly NO_RATE: string;
      readonly RATE_STALE: string;
      readonly NO_LIQUIDITY: string;
      readonly NO_ROUTE: string;
      readonly ROUTE_UNREACHABLE: string;
      readonly QUOTE_ENDED: string;
      readonly INVALID_ENDPOINT: string;
      readonly ADDRESS_TAKEN: string;
      readonly OWN_ADDRESS: string;
      readonly TOKEN_TAKEN: string;
      readonly ADDED_BEFORE: string;
      readonly PAST_CREDIT: string;
      readonly NOT_UNKNOWN: string;
      readonly NOT_SETTLED: string;
      readonly NOT_OPEN: string;
      readonly MADE_BEFORE: string;
      readonly BY_HAND: string;
      readonly PEER_UNREACHABLE: string;
      readonly JUMP_CHANGED: string;
      readonly SAME_CURRENCY: string;
      readonly LOCKED: string;
      readonly WRONG_PASSPHRASE: string;
      readonly PASSPHRASE_NEEDED: string;
      readonly TOO_MANY_ATTEMPTS: string;
      readonly NOT_PROTECTED: string;
      readonly PROTECTED_ALREADY: string;
      readonly NOT_IN_BROWSER: string;
      readonly NO_PASSKEYS_HERE: string;
      readonly TOO_MANY_PASSKEYS: string;
      readonly PASSKEY_REFUSED: string;
      readonly BEGIN_AGAIN: string;
      readonly SIGN_IN_NAME_TAKEN: string;
      readonly WRONG_APP_CODE: string;
      readonly NO_PASSWORD: string;
      readonly UNAUTHORIZED: string;
      readonly NO_FOLDER: string;
      readonly BUSY: string;
      readonly BOOKS_DAMAGED: string;
      readonly BOOKS_TOO_LARGE: string;
      readonly NEWER_BOOKS: string;
      readonly NOT_MADE: string;
      readonly GONE: string;
      readonly NO_ROOM: string;
      readonly RESTORE_BUSY: string;
      readonly OUT_OF_ORDER: string;
      readonly UNFINISHED: string;
      readonly NO_BACKUP: string;
      readonly NOT_OPENED: string;
      readonly DAMAGED: string;
      readonly FOREIGN_PARTS: string;
      readonly UNFIT: string;
      readonly NEWER_BACKUP: string;
      readonly NOT_DESKTOP: string;
      readonly NOT_KEPT: string;
      readonly NOT_STORED: string;
      readonly DATABASE_HELD: string;
      readonly ACCOUNT_DAMAGED: string;
      readonly DATABASE_DAMAGED: string;
      readonly DATABASE_SERVER_DAMAGED: string;
      readonly WRITES_STOPPED: string;
      readonly BAD_REQUEST: string;
      readonly NOT_ALLOWED: string;
      readonly TOO_MANY_KEYS: string;
      readonly NO_SUCH_TILL: string;
      readonly TILL_NAME_TAKEN: string;
      readonly TOO_MANY_TILLS: string;
      readonly ACCOUNT_GONE: string;
      readonly TILL_MAY_NOT: string;
      readonly TILL_PAUSED: string;
      readonly TILL_REMOVED: string;
      readonly TILL_NOT_PAIRED: string;
      readonly END_PAST: string;
      readonly UNFIT_GROUP: string;
      readonly LAST_OWNER: string;
      readonly NO_SUCH_PERSON: string;
      readonly TOO_MANY_PEOPLE: string;
      readonly NOTHING_RECEIVED: string;
      readonly STILL_OPEN: string;
      readonly REFUND_NOT_DONE: string;
      readonly NO_PRINTER: string;
      readonly NO_SUCH_DEVICE: string;
      readonly PRINT_QUEUE_FULL: string;
      readonly PRINT_BEGUN: string;
      readonly PRODUCT_CODE_TAKEN: string;
      readonly NO_SUCH_TAX_RATE: string;
      readonly TOO_MANY_PRODUCTS: string;
      readonly NOT_BY_PIN: string;
      readonly WEAK_PIN: string;
      readonly SIGN_IN_AGAIN: string;
    };
    readonly unreachable: string;
    readonly unexpected: string;
    readonly notLoaded: string;
  };
  readonly lock: {
    readonly title: string;
    readonly reason: {
      readonly operator: string;
      readonly idle: string;
      readonly sleep: string;
      readonly user_switch: string;
      readonly start: string;
    };
    readonly goesOn: string;
    readonly passphrase: string;
    readonly unlock: string;
    readonly wrong: string;
    readonly wait: (facts: { readonly seconds: number }) => string;
    readonly forgotten: string;
    readonly unreachable: string;
    readonly lockNow: string;
    readonly lockTitle: string;
    readonly card: {
      readonly title: string;
      readonly lead: string;
      readonly limits: string;
      readonly off: string;
      readonly protect: string;
      readonly protectTitle: string;
      readonly protected: string;
      readonly new: string;
      readonly newHint: string;
      readonly short: string;
      readonly again: string;
      readonly differ: string;
      readonly loss: string;
      readonly current: string;
      readonly currentNeeded: string;
      readonly change: string;
      readonly changed: string;
      readonly remove: string;
      readonly removeTitle: string;
      readonly removeWords: string;
      readonly removed: string;
      readonly idle: string;
      readonly never: string;
      readonly atStart: string;
      readonly atStartHint: string;
      readonly also: string;
      readonly saved: string;
      readonly hours: (facts: { readonly count: number }) => string;
      readonly minutes: (facts: { readonly count: number }) => string;
    };
    readonly browsers: {
      readonly title: string;
      readonly lead: string;
      readonly thisOne: string;
      readonly times: (facts: { readonly lastUsed: string; readonly signedIn: string }) => string;
      readonly end: string;
      readonly endNamed: (facts: { readonly browser: string }) => string;
      readonly endOthers: string;
      readonly ended: (facts: { readonly count: number }) => string;
      readonly hint: string;
      readonly another: string;
      readonly onSystem: (facts: { readonly browser: string; readonly system: string }) => string;
    };
  };
  readonly overview: {
    readonly title: string;
    readonly needsYou: (facts: { readonly count: number }) => string;
    readonly needsYouAdvice: string;
    readonly review: string;
    readonly reviewAll: string;
    readonly balances: string;
    readonly allAccounts: (facts: { readonly count: number }) => string;
    readonly total: (facts: { readonly currency: string }) => string;
    readonly reserved: (facts: { readonly amount: string }) => string;
    readonly today: string;
    readonly todayNote: (facts: { readonly zone: string }) => string;
    readonly todayNoteAt: (facts: { readonly time: string; readonly zone: string }) => string;
    readonly received: string;
    readonly sent: string;
    readonly nothingToday: string;
    readonly underWay: (facts: { readonly count: number }) => string;
    readonly needYou: (facts: { readonly count: number }) => string;
    readonly failedToday: (facts: { readonly count: number }) => string;
    readonly history: (facts: { readonly days: number }) => string;
    readonly currency: string;
    readonly day: string;
    readonly most: (facts: { readonly amount: string }) => string;
    readonly dayTitle: (facts: { readonly day: string; readonly received: string; readonly sent: string }) => string;
    readonly nothingYet: string;
    readonly budgets: string;
    readonly moreBudgets: (facts: { readonly count: number }) => string;
    readonly getPaid: string;
    readonly recent: string;
    readonly allPayments: string;
    readonly noPayments: string;
    readonly noPaymentsAdvice: string;
    readonly makeLink: string;
    readonly showAddress: string;
    readonly health: string;
    readonly allHealth: string;
    readonly healthNames: {
      readonly database: string;
      readonly ledger: string;
      readonly payments: string;
      readonly reachable: string;
      readonly certificate: string;
      readonly clock: string;
      readonly outside: string;
      readonly peers: string;
      readonly apps: string;
      readonly backup: string;
      readonly activity: string;
      readonly log: string;
      readonly audit: string;
      readonly open_files: string;
      readonly printer: string;
      readonly overload: string;
      readonly rates: string;
    };
    readonly healthInAll: {
      readonly good: string;
      readonly warning: string;
      readonly bad: string;
    };
    readonly healthStates: {
      readonly good: string;
      readonly warning: string;
      readonly bad: string;
    };
  };
  readonly palette: {
    readonly open: string;
    readonly placeholder: string;
    readonly none: string;
    readonly screens: string;
    readonly accounts: string;
    readonly peers: string;
    readonly actions: string;
    readonly newRequest: string;
    readonly newAccount: string;
    readonly lock: string;
    readonly backUp: string;
    readonly pay: string;
    readonly colours: {
      readonly light: string;
      readonly dark: string;
      readonly auto: string;
    };
    readonly ofAmount: (facts: { readonly amount: string }) => string;
    readonly search: (facts: { readonly text: string }) => string;
    readonly shortcuts: string;
    readonly keys: string;
    readonly does: string;
    readonly list: readonly [
      {
        readonly keys: readonly [string, string];
        readonly mac: readonly [string, string];
        readonly does: string;
      },
      {
        readonly keys: readonly [string];
        readonly mac: readonly [string];
        readonly does: string;
      },
      {
        readonly keys: readonly [string, string];
        readonly mac: readonly [string, string];
        readonly does: string;
      },
      {
        readonly keys: readonly [string, string];
        readonly mac: readonly [string, string];
        readonly does: string;
      },
      {
        readonly keys: readonly [string, string];
        readonly mac: readonly [string, string];
        readonly does: string;
      },
      {
        readonly keys: readonly [string, string];
        readonly mac: readonly [string, string];
        readonly does: string;
      },
      {
        readonly keys: readonly [string];
        readonly mac: readonly [string];
        readonly does: string;
      },
    ];
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
