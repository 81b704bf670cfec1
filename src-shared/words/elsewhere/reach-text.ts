import type { ReachProblem } from '../../attempt-failures.ts';

/** Why a wallet elsewhere cannot pay or be paid, as the operator reads it, and what the operator can do. */
export const reachText: Readonly<Record<ReachProblem, string>> = {
  wallet_not_resolved: 'The name in its address leads nowhere on the internet. Check it for typing errors.',
  wallet_unreachable: 'Their wallet does not answer. Try again later, or ask whoever runs it.',
  wallet_not_found: 'There is no wallet at this address. Check it for typing errors.',
  wallet_not_secure: 'Their wallet has no secure connection (TLS) that can be trusted. Whoever runs it has to mend that.',
  wallet_other_protocol:
    'Their wallet speaks an older protocol, or does not say where to ask for permission. It needs a wallet that speaks Open Payments.',
  auth_unreachable: 'Their wallet answers, but the server that gives permissions for it does not. Try again later.',
  grant_refused: 'Their wallet does not let yours ask for payments. Ask whoever runs it whether it talks with other wallets.',
  key_unknown:
    'Their wallet does not accept the key of yours. It must be able to read your wallet address: look whether your public address works.',
  wallet_refused: 'Their wallet says no and does not tell why.',
  no_common_way: 'Their wallet and yours have no common way yet. Add a peer that leads there, or ask one of your peers for a way.',
  peer_paused: 'Every peer that leads there is paused. Resume it under Peers.',
  peer_limit: 'What one node may owe the next one on the way is used up. Settle with your peer, or raise the limit.',
  peer_unreachable: 'The peer that leads there does not answer. Test its connection under Peers.',
  packet_refused: 'Somebody on the way does not let packets through. Ask the operator of your peer.',
  no_rate: 'Nobody exchanges the two currencies. Set a rate under Rates, and put money aside for it.',
  too_small: 'Of so little, nothing would arrive in their currency. Send more.',
  closed: 'This payment takes no more money. Make a new request.',
};
