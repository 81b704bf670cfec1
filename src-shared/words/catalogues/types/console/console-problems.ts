// Written by scripts/generating/generate-message-types.mjs from the catalogues. Do not change it by hand.

export interface ConsoleProblemsMessages {
  readonly reachText: {
    readonly wallet_not_resolved: string;
    readonly wallet_unreachable: string;
    readonly wallet_not_found: string;
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
    readonly closed: string;
  };
  readonly outsideObstacles: {
    readonly public_address: string;
    readonly address_unreachable: string;
    readonly no_common_way: string;
    readonly peer_paused: string;
    readonly peer_limit: string;
    readonly peer_unreachable: string;
  };
  readonly printerProblems: {
    readonly name_unknown: string;
    readonly refused: string;
    readonly no_answer: string;
    readonly broke_off: string;
    readonly gone: string;
    readonly not_taken: string;
  };
  readonly peerTest: {
    readonly accepted: string;
    readonly clock_differs: string;
    readonly takes_nothing: string;
    readonly forgets_repetitions: string;
    readonly recognises_repetitions: string;
    readonly repetitions_unclear: string;
    readonly other_currency: (facts: {
      readonly ourCode: string;
      readonly ourScale: number;
      readonly theirCode: string;
      readonly theirScale: number;
    }) => string;
    readonly otherwise: (facts: { readonly ourCode: string; readonly ourScale: number }) => string;
  };
  readonly linkProblems: {
    readonly unknown_peer: string;
    readonly no_token: string;
    readonly unauthorized: string;
    readonly no_ilp: string;
    readonly redirected: string;
    readonly failed: string;
    readonly garbage: string;
    readonly too_large: string;
    readonly not_json: string;
    readonly invalid_url: string;
    readonly scheme_not_allowed: string;
    readonly address_not_allowed: string;
    readonly unreachable: string;
    readonly timed_out: string;
  };
  readonly sourceProblems: {
    readonly invalid_url: string;
    readonly scheme_not_allowed: string;
    readonly address_not_allowed: string;
    readonly not_resolved: string;
    readonly not_secure: string;
    readonly unreachable: string;
    readonly timed_out: string;
    readonly busy: string;
    readonly redirected: string;
    readonly too_large: string;
    readonly refused: string;
    readonly not_readable: string;
    readonly no_rate: string;
    readonly no_date: string;
    readonly from_future: string;
    readonly older: string;
  };
  readonly certificate: {
    readonly cert_unreadable: (facts: { readonly file: string }) => string;
    readonly key_unreadable: (facts: { readonly file: string }) => string;
    readonly no_certificate: (facts: { readonly file: string }) => string;
    readonly no_key: (facts: { readonly file: string }) => string;
    readonly key_of_another: string;
    readonly unusable: (facts: { readonly file: string }) => string;
  };
}
