// Written by scripts/generating/generate-message-types.mjs from the catalogues. Do not change it by hand.

export interface ConsoleTillMessages {
  readonly till: {
    readonly title: string;
    readonly back: string;
    readonly into: (facts: { readonly account: string }) => string;
    readonly choose: string;
    readonly find: string;
    readonly change: string;
    readonly keypad: string;
    readonly point: string;
    readonly doubleZero: string;
    readonly deleteLast: string;
    readonly purpose: string;
    readonly purposeHint: string;
    readonly charge: (facts: { readonly amount: string }) => string;
    readonly chargeNothing: string;
    readonly making: string;
    readonly makingLost: string;
    readonly notMade: string;
    readonly scan: string;
    readonly left: (facts: { readonly time: string }) => string;
    readonly missing: (facts: { readonly arrived: string; readonly missing: string; readonly whole: string }) => string;
    readonly stays: (facts: { readonly arrived: string; readonly whole: string }) => string;
    readonly nothing: string;
    readonly newSale: string;
    readonly cancel: string;
    readonly problem: (facts: { readonly reason: string }) => string;
    readonly again: string;
    readonly lost: string;
    readonly lostWords: string;
    readonly sound: string;
    readonly today: string;
    readonly noneToday: string;
    readonly more: string;
    readonly setting: {
      readonly label: string;
      readonly hint: string;
      readonly minutes: (facts: { readonly minutes: number }) => string;
      readonly saved: (facts: { readonly time: string }) => string;
    };
  };
}
