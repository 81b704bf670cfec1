import type { PeerTest } from '../operator-contract/peers.ts';
import { linkProblems } from './link-problems.ts';

/** What the test of a peer found, and what the operator can do. */
export function peerTestText(test: PeerTest): string {
  switch (test.finding) {
    case 'accepted':
      return 'It answers and accepts the token.';
    case 'clock_differs':
      return 'It answers and accepts the token, but by its clock every packet comes too late. Set the clocks of both computers right.';
    case 'takes_nothing':
      return 'It answers and accepts the token, but takes nothing at the moment. It may have paused this node.';
    case 'forgets_repetitions':
      return 'It answers and accepts the token, but does not know a packet again that it got before. Switch “It answers a repeated packet as the first time” off, or a lost answer can make you pay twice.';
    case 'recognises_repetitions':
      return 'It answers, accepts the token, and knows a packet again that it got before. You can switch “It answers a repeated packet as the first time” on: then your node asks again when an answer is lost.';
    case 'repetitions_unclear':
      return 'It answers and accepts the token. Whether it knows a packet again that it got before could not be found out. Leave “It answers a repeated packet as the first time” on only if their software is paydesk.';
    case 'other_currency': {
      const { ours, theirs } = test;
      const known = theirs === null ? 'otherwise' : `in ${theirs.assetCode} with ${theirs.assetScale} decimal places`;
      return `It answers, but keeps its account with this node ${known}, not in ${ours.assetCode} with ${ours.assetScale}. Both sides must have the same.`;
    }
    default:
      return linkProblems[test.finding];
  }
}
