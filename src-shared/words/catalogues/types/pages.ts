// Written by scripts/generating/generate-message-types.mjs from the catalogues. Do not change it by hand.
import type { Words } from '../../words.ts';

export interface PagesMessages {
  readonly checkoutWords: {
    readonly problems: {
      readonly wallet_not_found: string;
      readonly own_wallet: string;
      readonly wallet_not_resolved: string;
      readonly wallet_unreachable: string;
      readonly wallet_not_secure: string;
      readonly wallet_other_protocol: string;
      readonly auth_unreachable: string;
      readonly grant_refused: string;
      readonly key_unknown: string;
      readonly wallet_refused: string;
      readonly no_common_way: string;
      readonly peer_paused: string;
      readonly peer_limit: string;
      readonly peer_unreachable: string;
      readonly packet_refused: string;
      readonly no_rate: string;
      readonly too_small: string;
      readonly rejected: string;
      readonly too_late: string;
      readonly price_changed: string;
      readonly payment_failed: string;
      readonly not_arrived: string;
      readonly interrupted: string;
      readonly unknown_payment: string;
      readonly invalid_amount: (facts: { readonly example: string }) => string;
      readonly busy: string;
      readonly closed: string;
    };
    readonly title: {
      readonly open: (facts: { readonly payee: string }) => string;
      readonly paid: (facts: { readonly payee: string }) => string;
      readonly ended: (facts: { readonly payee: string }) => string;
    };
    readonly pay: (facts: { readonly payee: string | Words }) => Words;
    readonly anyAmount: string;
    readonly paid: string;
    readonly paidTo: (facts: { readonly payee: string | Words }) => Words;
    readonly reference: (facts: { readonly reference: string | Words }) => Words;
    readonly ended: {
      readonly partly_paid: string;
      readonly cancelled: string;
      readonly expired: string;
      readonly nothing_received: string;
    };
    readonly cancelReason: (facts: { readonly payee: string | Words }) => Words;
    readonly endedAdvice: string;
    readonly state: {
      readonly waiting: string;
      readonly receiving: string;
      readonly more: string;
      readonly busy: string;
    };
    readonly busyNote: string;
    readonly howMuch: string;
    readonly missing: (facts: { readonly amount: string }) => string;
    readonly arrived: (facts: { readonly amount: string }) => string;
    readonly ends: (facts: { readonly moment: string | Words }) => Words;
    readonly amountIn: (facts: { readonly currency: string }) => string;
    readonly wallet: string;
    readonly walletHint: string;
    readonly what: {
      readonly title: string;
      readonly words: string;
    };
    readonly payFromWallet: string;
    readonly sent: (facts: { readonly wallet: string | Words }) => Words;
    readonly goOn: string;
    readonly go: {
      readonly title: string;
      readonly wallet: string;
      readonly debit: string;
      readonly sentTo: (facts: { readonly host: string | Words }) => Words;
      readonly button: (facts: { readonly host: string }) => string;
      readonly back: string;
    };
    readonly stranger: {
      readonly title: string;
      readonly words: string;
    };
    readonly noAmount: {
      readonly title: string;
      readonly words: (facts: { readonly example: string }) => string;
    };
    readonly nothing: {
      readonly title: string;
      readonly words: string;
    };
    readonly back: string;
    readonly due: (facts: { readonly day: string | Words }) => Words;
    readonly remember: string;
    readonly phone: {
      readonly open: string;
      readonly advice: string;
      readonly code: string;
    };
    readonly wayBack: (facts: { readonly host: string }) => string;
  };
  readonly shopWords: {
    readonly heading: string;
    readonly none: string;
  };
  readonly interactionWords: {
    readonly done: {
      readonly approved: {
        readonly title: string;
        readonly words: string;
      };
      readonly issued: {
        readonly title: string;
        readonly words: string;
      };
      readonly denied: {
        readonly title: string;
        readonly words: string;
      };
      readonly lapsed: {
        readonly title: string;
        readonly words: string;
      };
      readonly revoked: {
        readonly title: string;
        readonly words: string;
      };
    };
    readonly title: string;
    readonly heading: string;
    readonly asks: (facts: { readonly host: string | Words }) => Words;
    readonly callsItself: (facts: { readonly name: string | Words }) => Words;
    readonly typeCode: string;
    readonly lapses: (facts: { readonly moment: string | Words }) => Words;
    readonly notYou: string;
    readonly crowded: {
      readonly title: string;
      readonly heading: string;
      readonly words: string;
    };
    readonly unknown: {
      readonly title: string;
      readonly heading: string;
      readonly words: string;
    };
  };
  readonly refusalWords: {
    readonly wait: {
      readonly title: string;
      readonly words: string;
    };
    readonly unsent: {
      readonly title: string;
      readonly words: string;
    };
    readonly failed: {
      readonly title: string;
      readonly words: string;
    };
    readonly refused: {
      readonly title: string;
      readonly words: string;
    };
    readonly unsure: {
      readonly title: string;
      readonly words: string;
    };
  };
  readonly walletAddressWords: {
    readonly title: (facts: { readonly payee: string }) => string;
    readonly pay: string;
    readonly amountIn: (facts: { readonly currency: string }) => string;
    readonly continue: string;
    readonly forApps: string;
  };
  readonly receiptWords: {
    readonly button: string;
    readonly signed: string;
    readonly checkThis: string;
    readonly check: {
      readonly title: string;
      readonly lead: string;
      readonly label: string;
      readonly button: string;
      readonly another: string;
      readonly show: string;
    };
    readonly found: {
      readonly unchanged: {
        readonly title: string;
        readonly words: (facts: { readonly shop: string | Words }) => Words;
      };
      readonly not_kept: {
        readonly title: string;
        readonly words: (facts: { readonly shop: string | Words }) => Words;
      };
      readonly changed: {
        readonly title: string;
        readonly words: string;
      };
      readonly unknown: {
        readonly title: string;
        readonly words: string;
      };
    };
    readonly notYet: {
      readonly title: string;
      readonly words: string;
    };
  };
  readonly claimWords: {
    readonly title: (facts: { readonly payee: string }) => string;
    readonly gives: (facts: { readonly payee: string | Words }) => Words;
    readonly how: string;
    readonly ends: (facts: { readonly moment: string | Words }) => Words;
    readonly wallet: string;
    readonly walletHint: string;
    readonly ask: string;
    readonly asks: (facts: { readonly payee: string | Words }) => Words;
    readonly refusedBefore: string;
    readonly sent: (facts: { readonly wallet: string | Words }) => Words;
    readonly goOn: string;
    readonly letShop: string;
    readonly busy: string;
    readonly busyNote: string;
    readonly deciding: string;
    readonly decidingNote: (facts: { readonly moment: string | Words }) => Words;
    readonly refunded: string;
    readonly refundedBy: (facts: { readonly payee: string | Words }) => Words;
    readonly used: string;
    readonly over: {
      readonly expired: string;
      readonly cancelled: string;
      readonly refused: string;
      readonly doubted: string;
      readonly failed: string;
    };
    readonly overAdvice: string;
    readonly go: {
      readonly title: string;
      readonly wallet: string;
      readonly asks: string;
      readonly sentTo: (facts: { readonly host: string | Words }) => Words;
      readonly button: (facts: { readonly host: string }) => string;
      readonly back: string;
    };
    readonly stranger: {
      readonly title: string;
      readonly words: string;
    };
    readonly back: string;
    readonly problems: {
      readonly the_shop_itself: string;
      readonly too_many_tries: string;
      readonly busy: string;
      readonly wallet_not_secure: string;
      readonly wallet_other_protocol: string;
      readonly wallet_not_found: string;
      readonly wallet_not_resolved: string;
      readonly wallet_unreachable: string;
      readonly auth_unreachable: string;
    };
  };
}
