// Written by scripts/generating/generate-message-types.mjs from the catalogues. Do not change it by hand.
import type { Words } from '../../../words.ts';

export interface ConsoleAccessMessages {
  readonly requestWords: {
    readonly proofOf: string;
    readonly windows: string;
    readonly windowText: (facts: { readonly end: string; readonly start: string }) => string;
    readonly windowsNote: string;
    readonly facts: {
      readonly from: string;
      readonly asked: string;
      readonly lapses: string;
      readonly returns: string;
    };
    readonly noReturn: string;
    readonly noReturnWarning: string;
    readonly byKey: string;
    readonly keyOnlyWarning: string;
    readonly codeHint: string;
    readonly notOpened: string;
    readonly wrongCode: (facts: { readonly left: number }) => string;
    readonly limitLabel: (facts: { readonly code: string }) => string;
    readonly suggested: (facts: { readonly amount: string }) => string;
    readonly limitIsNone: string;
    readonly accountNameLabel: (facts: { readonly name: string }) => string;
    readonly accountNameWrong: string;
    readonly noAccount: string;
    readonly onlyLower: (facts: { readonly amount: string }) => string;
    readonly amountNeeded: string;
    readonly lastDayPast: string;
    readonly approvedTitle: string;
    readonly deniedTitle: string;
    readonly deniedWords: string;
    readonly term: {
      readonly account: string;
      readonly debit: string;
      readonly receive: string;
      readonly interval: string;
      readonly receiver: string;
      readonly anyone: string;
      readonly once: string;
      readonly noAmount: string;
      readonly noBound: (facts: { readonly amount: string }) => string;
      readonly everyAccount: string;
    };
    readonly account: string;
    readonly inTotal: string;
    readonly repeatsEach: (facts: { readonly interval: string }) => string;
    readonly unlimited: {
      readonly anyTitle: string;
      readonly any: string;
      readonly noneTitle: string;
      readonly tooOften: (facts: { readonly interval: string }) => string;
      readonly tooMuch: (facts: { readonly amount: string }) => string;
      readonly tooMuchRepeating: (facts: { readonly amount: string; readonly interval: string }) => string;
      readonly arrivesTitle: string;
      readonly anyone: string;
      readonly own: string;
      readonly other: (facts: { readonly host: string }) => string;
      readonly advice: string;
    };
    readonly approvedWaits: string;
    readonly approvedReturns: (facts: { readonly host: string }) => string;
  };
  readonly approvals: {
    readonly title: string;
    readonly lead: string;
    readonly none: string;
    readonly noneAdvice: string;
    readonly seeApps: string;
    readonly review: string;
    readonly reviewOf: (facts: { readonly client: string }) => string;
    readonly arrived: (facts: { readonly client: string }) => string;
    readonly arrivedAction: string;
    readonly lookAtRequest: (facts: { readonly client: string }) => string;
    readonly lapsesIn: (facts: { readonly distance: string }) => string;
    readonly lapsed: (facts: { readonly client: string; readonly when: string }) => string;
    readonly dismiss: string;
    readonly detailTitle: string;
    readonly exactly: string;
    readonly column: {
      readonly right: string;
      readonly terms: string;
    };
    readonly selfAsserted: (facts: { readonly name: string }) => string;
    readonly decide: string;
    readonly code: string;
    readonly deny: string;
    readonly approve: string;
    readonly arming: string;
    readonly setLimit: string;
    readonly allowAny: string;
    readonly changeAmountsAndEnd: string;
    readonly changeEnd: string;
    readonly lower: {
      readonly debit: (facts: { readonly code: string }) => string;
      readonly receive: (facts: { readonly code: string }) => string;
    };
    readonly askedFor: (facts: { readonly amount: string }) => string;
    readonly lastDay: string;
    readonly lastDayHint: string;
    readonly overTitle: string;
    readonly lapsedWords: (facts: { readonly when: string }) => string;
    readonly decidedWords: string;
    readonly toApps: string;
    readonly toApprovals: string;
  };
  readonly consent: {
    readonly keyOnly: (facts: { readonly key: string }) => string;
    readonly kinds: {
      readonly 'incoming-payment': string;
      readonly 'outgoing-payment': string;
      readonly quote: string;
    };
    readonly total: string;
    readonly often: {
      readonly total: string;
    };
    readonly beginning: (facts: { readonly dates: string; readonly interval: string }) => string;
    readonly amounts: {
      readonly any: Words;
      readonly debit: (facts: { readonly debit: string | Words; readonly how: string | Words }) => Words;
      readonly both: (facts: { readonly debit: string | Words; readonly how: string | Words; readonly receive: string | Words }) => Words;
      readonly anyDebit: (facts: { readonly debit: string | Words; readonly how: string | Words }) => Words;
      readonly anyReceive: (facts: { readonly how: string | Words; readonly isOne: boolean; readonly receive: string | Words }) => Words;
      readonly anyBoth: (facts: {
        readonly debit: string | Words;
        readonly how: string | Words;
        readonly isOne: boolean;
        readonly receive: string | Words;
      }) => Words;
    };
    readonly much: {
      readonly any: Words;
      readonly debit: (facts: { readonly debit: string | Words }) => Words;
      readonly both: (facts: { readonly debit: string | Words; readonly receive: string | Words }) => Words;
      readonly anyDebit: (facts: { readonly debit: string | Words }) => Words;
      readonly anyReceive: (facts: { readonly isOne: boolean; readonly receive: string | Words }) => Words;
      readonly anyBoth: (facts: { readonly debit: string | Words; readonly isOne: boolean; readonly receive: string | Words }) => Words;
    };
    readonly to: {
      readonly anyone: Words;
      readonly one: (facts: { readonly address: string | Words }) => Words;
      readonly named: (facts: { readonly address: string | Words; readonly name: string | Words }) => Words;
    };
    readonly whom: {
      readonly anyone: Words;
      readonly one: (facts: { readonly address: string | Words }) => Words;
      readonly named: (facts: { readonly address: string | Words; readonly name: string | Words }) => Words;
    };
    readonly accounts: {
      readonly every: string;
      readonly one: (facts: { readonly address: string | Words }) => Words;
      readonly own: (facts: { readonly address: string | Words; readonly name: string | Words }) => Words;
    };
    readonly from: {
      readonly every: Words;
      readonly own: (facts: { readonly address: string | Words; readonly name: string | Words }) => Words;
    };
    readonly spend: (facts: { readonly account: string | Words; readonly amounts: string | Words; readonly to: string | Words }) => Words;
    readonly pay: string;
    readonly askPrice: string;
    readonly seeQuotes: string;
    readonly askMoney: (facts: { readonly account: string | Words }) => Words;
    readonly closeRequests: string;
    readonly seeOwnRequests: string;
    readonly seeIncoming: string;
    readonly seeOwnPayments: string;
    readonly seeOutgoing: string;
    readonly prove: (facts: { readonly address: string | Words }) => Words;
    readonly nothing: string;
    readonly bothListed: (facts: { readonly money: string | Words; readonly rest: string | Words }) => Words;
    readonly line: {
      readonly who: string;
      readonly wants: string;
      readonly wantsAlso: string;
      readonly may: string;
      readonly mayAlso: string;
      readonly from: string;
      readonly much: string;
      readonly often: string;
      readonly whom: string;
      readonly until: string;
      readonly answer: string;
    };
    readonly who: (facts: { readonly client: string | Words; readonly isNamed: boolean; readonly name: string | Words }) => Words;
    readonly noEnd: string;
    readonly answer: (facts: { readonly host: string | Words; readonly isReturning: boolean; readonly time: string | Words }) => Words;
    readonly byYourTerms: string;
  };
}
