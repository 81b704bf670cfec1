import { extended } from '../../language/language.ts';
import { invitationProblems } from './invitation-problems.ts';

export const invitations = extended('invitations', () => ({
  problems: invitationProblems,
}));
