import { area } from '../../language/language.ts';

/** Why an invitation cannot be accepted now, and what the operator can do. */
export const invitationProblems = area('invitationProblems');
