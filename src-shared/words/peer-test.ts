import type { PeerTest } from '../operator-contract/peers.ts';
import { area } from './language/language.ts';
import { linkProblems } from './link-problems.ts';

const text = area('peerTest');

/** What the test of a peer found, and what the operator can do. */
export function peerTestText(test: PeerTest): string {
  switch (test.finding) {
    case 'accepted':
    case 'clock_differs':
    case 'takes_nothing':
    case 'forgets_repetitions':
    case 'recognises_repetitions':
    case 'repetitions_unclear':
      return text[test.finding];
    case 'other_currency': {
      const { ours, theirs } = test;
      const own = { ourCode: ours.assetCode, ourScale: ours.assetScale };
      if (theirs === null) return text.otherwise(own);
      return text.other_currency({ ...own, theirCode: theirs.assetCode, theirScale: theirs.assetScale });
    }
    default:
      return linkProblems[test.finding];
  }
}
