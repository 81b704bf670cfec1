// Written by scripts/generating/generate-message-types.mjs from the catalogues. Do not change it by hand.

export interface TerminalMessages {
  readonly approvalWords: {
    readonly notAnId: string;
    readonly none: string;
    readonly howToAnswer: string;
    readonly request: (facts: { readonly id: string }) => string;
    readonly app: string;
    readonly callsItself: string;
    readonly code: string;
    readonly inScript: string;
    readonly wrongCodes: (facts: { readonly count: number }) => string;
    readonly denied: (facts: { readonly app: string }) => string;
    readonly typeApprove: string;
    readonly codeQuestion: string;
    readonly limitQuestion: (facts: { readonly label: string }) => string;
    readonly notAllowed: (facts: { readonly id: string }) => string;
    readonly unattended: string;
    readonly otherRequest: string;
    readonly codeNeeded: string;
    readonly hasAmount: string;
    readonly chooseOne: string;
    readonly accountIs: (facts: { readonly name: string }) => string;
    readonly limitNeeded: (facts: { readonly account: string }) => string;
    readonly nothingToLimit: string;
    readonly nothingArrives: string;
    readonly amountWrong: (facts: {
      readonly currency: string;
      readonly decimals: number;
      readonly option: string;
      readonly typed: string;
    }) => string;
    readonly dayWrong: (facts: { readonly typed: string }) => string;
  };
  readonly commandWords: {
    readonly passphrase: string;
    readonly noAnswer: string;
    readonly notRunning: (facts: { readonly dataDir: string }) => string;
    readonly notReadable: (facts: { readonly file: string }) => string;
    readonly otherVersion: string;
    readonly locked: string;
    readonly setUp: (facts: { readonly code: string; readonly url: string }) => string;
    readonly openConsole: string;
    readonly status: {
      readonly title: (facts: { readonly publicUrl: string; readonly version: string }) => string;
      readonly noAccounts: string;
      readonly balances: string;
      readonly setAside: (facts: { readonly amount: string }) => string;
      readonly counts: (facts: { readonly failed: number; readonly underWay: number; readonly waiting: number }) => string;
      readonly marks: {
        readonly good: string;
        readonly warning: string;
        readonly bad: string;
      };
    };
    readonly createAccount: {
      readonly currencyNeeded: string;
      readonly depositWrong: (facts: { readonly decimals: number; readonly example: string }) => string;
      readonly decimalsNeeded: (facts: { readonly currency: string }) => string;
      readonly decimalsWrong: string;
      readonly done: (facts: { readonly balance: string; readonly walletAddress: string }) => string;
    };
    readonly unlock: {
      readonly notLocked: string;
      readonly nothingTyped: string;
      readonly unlocked: string;
      readonly wait: (facts: { readonly seconds: number }) => string;
    };
    readonly removeLock: {
      readonly noNode: (facts: { readonly dataDir: string }) => string;
      readonly removed: string;
      readonly nothingToRemove: string;
    };
    readonly backup: {
      readonly passphraseNeeded: string;
      readonly made: (facts: { readonly file: string; readonly kilobytes: number }) => string;
      readonly noRoom: (facts: { readonly free: number; readonly needed: number }) => string;
    };
    readonly archive: {
      readonly empty: string;
      readonly nothing: string;
      readonly notAnId: string;
      readonly whole: (facts: { readonly bytes: string; readonly file: string; readonly month: string; readonly rows: number }) => string;
      readonly trouble: (facts: { readonly month: string; readonly trouble: string }) => string;
    };
    readonly restore: {
      readonly problems: {
        readonly no_backup: string;
        readonly locked: string;
        readonly damaged: string;
        readonly newer_format: string;
        readonly other_books: string;
        readonly newer_database: string;
        readonly foreign_parts: string;
        readonly unfit: string;
        readonly cancelled: string;
        readonly not_written: string;
      };
      readonly passphraseNeeded: string;
      readonly nodeThere: (facts: { readonly dataDir: string }) => string;
      readonly noFile: (facts: { readonly file: string }) => string;
      readonly noRoom: (facts: { readonly free: number; readonly needed: number }) => string;
      readonly notRead: (facts: { readonly file: string }) => string;
      readonly done: (facts: { readonly dataDir: string; readonly madeAt: string }) => string;
      readonly afterwards: string;
    };
    readonly statement: {
      readonly accountNeeded: string;
      readonly noAccount: (facts: { readonly name: string }) => string;
      readonly periodNeeded: string;
      readonly formatWrong: (facts: { readonly format: string; readonly formats: string }) => string;
      readonly languageWrong: (facts: { readonly language: string; readonly languages: string }) => string;
      readonly outNeeded: string;
      readonly exists: (facts: { readonly file: string }) => string;
      readonly broken: string;
      readonly notWritten: (facts: { readonly file: string; readonly reason: string }) => string;
      readonly done: (facts: { readonly bytes: string; readonly file: string }) => string;
    };
  };
}
