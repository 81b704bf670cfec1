// Written by scripts/generating/generate-message-types.mjs from the catalogues. Do not change it by hand.

export interface ConsoleHealthMessages {
  readonly health: {
    readonly title: string;
    readonly lead: string;
    readonly checks: string;
    readonly reach: {
      readonly title: string;
      readonly lead: string;
      readonly start: string;
      readonly again: string;
      readonly stop: string;
      readonly list: string;
      readonly steps: {
        readonly public_url: string;
        readonly dns: string;
        readonly port: string;
        readonly tls: string;
        readonly clock: string;
        readonly signature: string;
      };
      readonly stepStates: {
        readonly running: string;
        readonly good: string;
        readonly warning: string;
        readonly bad: string;
        readonly skipped: string;
      };
      readonly next: string;
      readonly allGood: string;
      readonly someWrong: string;
      readonly failed: string;
    };
    readonly replicas: {
      readonly title: string;
      readonly lead: (facts: { readonly count: number; readonly database: string; readonly engine: string }) => string;
      readonly own: (facts: { readonly name: string }) => string;
      readonly states: {
        readonly runs: string;
        readonly leaves: string;
        readonly differs: string;
        readonly clock: string;
      };
      readonly facts: (facts: { readonly host: string; readonly since: string; readonly version: string }) => string;
      readonly read: (facts: { readonly at: string }) => string;
      readonly writesUnknown: string;
      readonly writes: (facts: { readonly turns: number }) => string;
      readonly clockAgrees: string;
      readonly clockBehind: (facts: { readonly seconds: string }) => string;
      readonly clockAhead: (facts: { readonly seconds: string }) => string;
      readonly noBackup: string;
      readonly archived: (facts: { readonly when: string }) => string;
      readonly neverExported: string;
      readonly exported: (facts: { readonly when: string }) => string;
    };
    readonly disk: {
      readonly title: string;
      readonly held: (facts: { readonly before: string; readonly until: string }) => string;
      readonly kindsList: string;
      readonly kinds: {
        readonly payments: string;
        readonly books: string;
        readonly events: string;
        readonly permissions: string;
        readonly signatures: string;
        readonly visits: string;
        readonly other_wallets: string;
        readonly peers: string;
        readonly activity: string;
        readonly settings: string;
        readonly archive: string;
      };
      readonly free: (facts: { readonly shrinks: boolean }) => string;
      readonly removedTitle: string;
      readonly removed: {
        readonly unpaid_requests: (facts: { readonly time: string }) => string;
        readonly unused_quotes: (facts: { readonly time: string }) => string;
        readonly ended_grants: (facts: { readonly time: string }) => string;
        readonly ended_tokens: (facts: { readonly time: string }) => string;
        readonly remote_grants: (facts: { readonly time: string }) => string;
        readonly invitations: (facts: { readonly time: string }) => string;
        readonly peer_answers: (facts: { readonly time: string }) => string;
        readonly failed_checkouts: (facts: { readonly time: string }) => string;
        readonly local_packets: (facts: { readonly time: string }) => string;
        readonly payment_details: (facts: { readonly time: string }) => string;
        readonly print_jobs: (facts: { readonly time: string }) => string;
        readonly events: (facts: { readonly time: string }) => string;
        readonly stranger_rows: string;
        readonly crowd: (facts: { readonly time: string }) => string;
        readonly signatures: string;
      };
      readonly kept: string;
      readonly measured: (facts: { readonly at: string }) => string;
      readonly lead: (facts: { readonly room: string; readonly total: string }) => string;
      readonly leadShared: (facts: { readonly total: string }) => string;
      readonly growthTomorrow: string;
      readonly noGrowth: string;
      readonly grows: (facts: { readonly perDay: string }) => string;
      readonly growsLong: (facts: { readonly perDay: string }) => string;
      readonly growsUntil: (facts: { readonly days: number; readonly perDay: string }) => string;
    };
    readonly log: {
      readonly title: string;
      readonly lead: string;
      readonly open: string;
      readonly card: string;
      readonly cardWords: string;
      readonly levels: {
        readonly trace: string;
        readonly debug: string;
        readonly info: string;
        readonly warn: string;
        readonly error: string;
        readonly fatal: string;
      };
      readonly levelNames: {
        readonly trace: string;
        readonly debug: string;
        readonly info: string;
        readonly warn: string;
        readonly error: string;
        readonly fatal: string;
      };
      readonly levelLabel: string;
      readonly searchLabel: string;
      readonly searchHint: string;
      readonly clearSearch: string;
      readonly refresh: string;
      readonly list: string;
      readonly noMessage: string;
      readonly factNames: {
        readonly reason: string;
        readonly problem: string;
        readonly words: string;
        readonly client: string;
        readonly publicUrl: string;
        readonly version: string;
        readonly operation: string;
        readonly origin: string;
      };
      readonly details: string;
      readonly none: string;
      readonly noneAdvice: string;
      readonly keptAll: (facts: { readonly kept: number }) => string;
      readonly keptLast: (facts: { readonly most: number }) => string;
      readonly request: {
        readonly answered: (facts: { readonly method: string; readonly path: string; readonly status: string }) => string;
        readonly refused: (facts: { readonly method: string; readonly path: string; readonly status: string }) => string;
        readonly failed: (facts: { readonly method: string; readonly path: string; readonly status: string }) => string;
      };
      readonly requestIn: {
        readonly answered: (facts: {
          readonly method: string;
          readonly ms: string;
          readonly path: string;
          readonly status: string;
        }) => string;
        readonly refused: (facts: {
          readonly method: string;
          readonly ms: string;
          readonly path: string;
          readonly status: string;
        }) => string;
        readonly failed: (facts: {
          readonly method: string;
          readonly ms: string;
          readonly path: string;
          readonly status: string;
        }) => string;
      };
    };
    readonly bundle: {
      readonly title: string;
      readonly words: string;
      readonly make: string;
      readonly dialog: string;
      readonly inside: readonly [string, string, string, string];
      readonly outside: string;
      readonly readFirst: string;
      readonly download: string;
      readonly done: string;
    };
  };
  readonly healthChecks: {
    readonly stored: string;
    readonly reachable: string;
    readonly notReachable: string;
    readonly apps: (facts: { readonly frozen: number }) => string;
    readonly activityWhole: string;
    readonly activityBroken: (facts: { readonly entry: string }) => string;
    readonly openFiles: (facts: { readonly limit: number; readonly needed: number }) => string;
    readonly printer: (facts: {
      readonly printer: string;
      readonly problem: string;
      readonly since: string;
      readonly waiting: number;
    }) => string;
    readonly overload: (facts: { readonly refused: number; readonly since: string }) => string;
    readonly booksGood: string;
    readonly unbalanced: (facts: { readonly currencies: string }) => string;
    readonly someAccount: string;
    readonly damages: {
      readonly unreadable: (facts: { readonly account: string }) => string;
      readonly balance: (facts: { readonly account: string }) => string;
      readonly held: (facts: { readonly account: string }) => string;
      readonly owner: (facts: { readonly account: string }) => string;
      readonly transfer_changed: (facts: { readonly account: string }) => string;
      readonly transfer_missing: (facts: { readonly account: string }) => string;
      readonly payment: (facts: { readonly account: string }) => string;
      readonly payment_missing: (facts: { readonly account: string }) => string;
      readonly in_flight: (facts: { readonly account: string }) => string;
      readonly grant: (facts: { readonly account: string }) => string;
    };
    readonly moreDamages: (facts: { readonly count: number }) => string;
    readonly noNewMoney: string;
    readonly wholeAt: (facts: { readonly when: string }) => string;
    readonly booksAdvice: string;
    readonly sharedBooksAdvice: string;
    readonly noneStuck: string;
    readonly unknown: (facts: { readonly count: number }) => string;
    readonly stuck: (facts: { readonly count: number }) => string;
    readonly clockGood: (facts: { readonly others: number }) => string;
    readonly clockAhead: (facts: { readonly by: string; readonly others: number }) => string;
    readonly clockBehind: (facts: { readonly by: string; readonly others: number }) => string;
    readonly certificate: {
      readonly valid: (facts: { readonly days: number }) => string;
      readonly ends_soon: (facts: { readonly days: number }) => string;
      readonly ended: string;
      readonly not_begun: string;
      readonly other_name: (facts: { readonly host: string }) => string;
      readonly newer_not_used: string;
    };
    readonly lastPaid: (facts: { readonly when: string }) => string;
    readonly neverPaid: string;
    readonly neverPaidYet: string;
    readonly nothingInTheWay: string;
    readonly peersGood: string;
    readonly peerProblems: {
      readonly paused: (facts: { readonly peer: string }) => string;
      readonly no_answer: (facts: { readonly peer: string; readonly problem: string }) => string;
      readonly owes_too_much: (facts: { readonly peer: string }) => string;
      readonly owed_too_much: (facts: { readonly peer: string }) => string;
    };
    readonly ratesGood: string;
    readonly rateProblems: {
      readonly source: (facts: { readonly name: string; readonly problem: string }) => string;
      readonly stopped: (facts: { readonly base: string; readonly quote: string }) => string;
      readonly by_hand: (facts: { readonly base: string; readonly quote: string }) => string;
      readonly jump: (facts: { readonly base: string; readonly quote: string }) => string;
    };
    readonly backup: {
      readonly failed: string;
      readonly none: string;
      readonly old: (facts: { readonly days: number }) => string;
      readonly same_disk: string;
      readonly recent: (facts: { readonly days: number }) => string;
    };
    readonly auditFails: (facts: { readonly since: string }) => string;
    readonly logWaits: (facts: { readonly lost: number }) => string;
    readonly logAgain: (facts: { readonly lost: number }) => string;
  };
  readonly reachFindings: {
    readonly no_address: {
      readonly found: (facts: { readonly host: string }) => string;
      readonly next: string;
    };
    readonly own_computer: {
      readonly found: (facts: { readonly host: string }) => string;
    };
    readonly own_network: {
      readonly found: (facts: { readonly addresses: string; readonly host: string }) => string;
      readonly next: string;
    };
    readonly public_address: {
      readonly found: (facts: { readonly addresses: string; readonly host: string }) => string;
    };
    readonly port_refused: {
      readonly found: (facts: { readonly port: string }) => string;
      readonly next: (facts: { readonly listen: string; readonly port: string }) => string;
    };
    readonly port_silent: {
      readonly found: (facts: { readonly port: string }) => string;
      readonly next: (facts: { readonly listen: string; readonly port: string }) => string;
    };
    readonly port_partly: {
      readonly found: (facts: { readonly addresses: string; readonly port: string }) => string;
      readonly next: string;
    };
    readonly port_open: {
      readonly found: (facts: { readonly port: string }) => string;
    };
    readonly tls_not_needed: {
      readonly found: string;
    };
    readonly not_encrypted: {
      readonly found: string;
      readonly next: string;
    };
    readonly no_tls: {
      readonly found: string;
      readonly next: string;
    };
    readonly certificate_ends_soon: {
      readonly found: (facts: { readonly days: number }) => string;
      readonly next: string;
    };
    readonly certificate_trusted: {
      readonly found: (facts: { readonly days: number }) => string;
    };
    readonly refusals: {
      readonly CERT_HAS_EXPIRED: string;
      readonly ERR_TLS_CERT_ALTNAME_INVALID: (facts: { readonly host: string }) => string;
      readonly selfSigned: string;
      readonly other: (facts: { readonly refusal: string }) => string;
      readonly chain: string;
      readonly authority: string;
    };
    readonly no_answer: {
      readonly found: string;
      readonly next: string;
    };
    readonly other_program: {
      readonly found: (facts: { readonly status: string }) => string;
      readonly next: string;
    };
    readonly clocks_far_apart: {
      readonly found: (facts: { readonly seconds: number }) => string;
      readonly next: string;
    };
    readonly clocks_differ: {
      readonly found: (facts: { readonly seconds: number }) => string;
      readonly next: string;
    };
    readonly clocks_agree: {
      readonly found: string;
    };
    readonly no_account: {
      readonly found: string;
      readonly next: string;
    };
    readonly signature_changed: {
      readonly found: string;
      readonly next: string;
    };
    readonly signature_lost: {
      readonly found: string;
      readonly foundStatus: (facts: { readonly status: string }) => string;
      readonly next: string;
    };
    readonly signature_right: {
      readonly found: string;
    };
    readonly earlier_step: {
      readonly found: string;
    };
    readonly url_not_given: {
      readonly found: string;
      readonly next: string;
    };
    readonly url_of_this_computer: {
      readonly found: (facts: { readonly url: string }) => string;
      readonly next: string;
    };
    readonly url_public: {
      readonly found: (facts: { readonly url: string }) => string;
    };
    readonly no_date: {
      readonly found: string;
      readonly next: string;
    };
  };
}
