// Written by scripts/generating/generate-message-types.mjs from the catalogues. Do not change it by hand.

export interface CommonMessages {
  readonly storageWords: {
    readonly notStored: string;
    readonly busy: string;
    readonly held: string;
    readonly stopped: string;
    readonly damaged: string;
    readonly damagedAtServer: string;
    readonly unreachable: string;
    readonly unknown: string;
    readonly wentBack: string;
    readonly closed: string;
  };
  readonly intervals: {
    readonly raw: (facts: { readonly text: string }) => string;
    readonly once: (facts: { readonly from: string; readonly length: string }) => string;
    readonly every: (facts: { readonly length: string }) => string;
    readonly counted: (facts: { readonly every: string; readonly from: string }) => string;
    readonly countedTimes: (facts: { readonly every: string; readonly from: string; readonly times: number }) => string;
    readonly one: {
      readonly year: string;
      readonly month: string;
      readonly week: string;
      readonly day: string;
      readonly hour: string;
      readonly minute: string;
      readonly second: string;
    };
    readonly lengths: {
      readonly year: (facts: { readonly count: number }) => string;
      readonly month: (facts: { readonly count: number }) => string;
      readonly week: (facts: { readonly count: number }) => string;
      readonly day: (facts: { readonly count: number }) => string;
      readonly hour: (facts: { readonly count: number }) => string;
      readonly minute: (facts: { readonly count: number }) => string;
      readonly second: (facts: { readonly count: number }) => string;
    };
    readonly everies: {
      readonly year: (facts: { readonly count: number }) => string;
      readonly month: (facts: { readonly count: number }) => string;
      readonly week: (facts: { readonly count: number }) => string;
      readonly day: (facts: { readonly count: number }) => string;
      readonly hour: (facts: { readonly count: number }) => string;
      readonly minute: (facts: { readonly count: number }) => string;
      readonly second: (facts: { readonly count: number }) => string;
    };
  };
  readonly archiveTrouble: {
    readonly missing: (facts: { readonly file: string }) => string;
    readonly damaged: (facts: { readonly file: string }) => string;
  };
  readonly openPackets: {
    readonly unknown: string;
    readonly askedAgain: (facts: { readonly peer: string }) => string;
    readonly waits: (facts: { readonly peer: string }) => string;
  };
  readonly paymentFailures: {
    readonly receiver_closed: string;
    readonly over_amount: string;
    readonly out_of_time: string;
    readonly no_progress: string;
    readonly refused: string;
    readonly no_route: string;
    readonly peer_unreachable: string;
    readonly receiver_unreachable: string;
    readonly rate_moved: string;
    readonly no_liquidity: string;
    readonly path_liquidity: string;
    readonly peer_credit: string;
    readonly bad_fulfilment: string;
    readonly unresolved: string;
    readonly other: string;
  };
  readonly amountInput: {
    readonly invalidWhole: (facts: { readonly currency: string; readonly example: string }) => string;
    readonly invalid: (facts: { readonly currency: string; readonly example: string; readonly places: number }) => string;
    readonly ambiguousWhole: (facts: { readonly whole: string }) => string;
    readonly ambiguous: (facts: { readonly decimal: string; readonly whole: string }) => string;
  };
}
