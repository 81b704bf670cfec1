import { extended } from '../language/language.ts';
import { linkProblems } from '../link-problems.ts';
import { peerTestText } from '../peer-test.ts';

export const peers = extended('peers', () => ({
  testText: peerTestText,

  problems: linkProblems,
}));
