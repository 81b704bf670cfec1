// Written by scripts/generating/generate-message-types.mjs from the catalogues. Do not change it by hand.

export interface ConsoleStatementsMessages {
  readonly statements: {
    readonly title: string;
    readonly lead: string;
    readonly forAccount: string;
    readonly account: string;
    readonly period: string;
    readonly periods: {
      readonly thisMonth: string;
      readonly lastMonth: string;
      readonly thisQuarter: string;
      readonly lastQuarter: string;
      readonly thisYear: string;
      readonly lastYear: string;
      readonly other: string;
    };
    readonly from: string;
    readonly to: string;
    readonly days: (facts: { readonly from: string; readonly to: string }) => string;
    readonly badDays: string;
    readonly format: string;
    readonly formats: {
      readonly spreadsheet: string;
      readonly csv: string;
      readonly bookkeeping: string;
      readonly camt053: string;
      readonly ofx: string;
      readonly datev: string;
    };
    readonly hints: {
      readonly spreadsheet: string;
      readonly csv: string;
      readonly bookkeeping: string;
      readonly camt053: string;
      readonly ofx: string;
      readonly datev: string;
    };
    readonly notSuited: (facts: { readonly currency: string }) => string;
    readonly summary: string;
    readonly opening: string;
    readonly credits: (facts: { readonly count: number }) => string;
    readonly debits: (facts: { readonly count: number }) => string;
    readonly closing: string;
    readonly nothing: string;
    readonly notEnded: string;
    readonly noRate: (facts: { readonly currency: string; readonly home: string }) => string;
    readonly save: string;
    readonly label: string;
    readonly progress: (facts: { readonly of: string; readonly rows: string }) => string;
    readonly stop: string;
    readonly done: (facts: { readonly rows: number }) => string;
    readonly failed: string;
    readonly noAccount: string;
    readonly datev: {
      readonly title: string;
      readonly consultant: string;
      readonly client: string;
      readonly yearBegins: string;
      readonly wallet: string;
      readonly received: string;
      readonly sent: string;
      readonly transit: string;
      readonly remembered: string;
      readonly numberWrong: (facts: { readonly least: string; readonly most: string }) => string;
      readonly accountWrong: string;
    };
    readonly columns: {
      readonly day: string;
      readonly time: string;
      readonly kind: string;
      readonly amount: string;
      readonly balance: string;
      readonly currency: string;
      readonly name: string;
      readonly walletAddress: string;
      readonly description: string;
      readonly reference: string;
      readonly note: string;
      readonly tax: string;
      readonly tip: string;
      readonly fee: string;
      readonly otherAmount: string;
      readonly otherCurrency: string;
      readonly utc: string;
      readonly payment: string;
      readonly id: string;
      readonly rate: string;
      readonly homeAmount: string;
      readonly homeCurrency: string;
      readonly homeRate: string;
      readonly items: string;
    };
    readonly kinds: {
      readonly received: string;
      readonly sent: string;
      readonly refunded: string;
      readonly returned: string;
      readonly deposit: string;
      readonly withdrawal: string;
      readonly opening: string;
      readonly closing: string;
    };
  };
}
