import { sharedDatabaseProblems as problems } from '../../../../src-shared/words/terminal/shared-database.ts';
import { ReportedError } from '../../errors.ts';
import { sqlState } from './errors.ts';

/** What the system says of a connection that could not be made. */
const UNREACHABLE = /^(ECONN|EHOST|ENET|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|ENOENT|EACCES)/;
const UNTRUSTED = /CERT|UNABLE_TO_/;

type Words = (where: string, error: Error) => string;

/** The words for each SQLSTATE of the server (PostgreSQL, appendix A). */
const BY_STATE: readonly [RegExp, Words][] = [
  [/^28/, (where) => problems.wrongLogin({ where })],
  [/^3D000$/, (where) => problems.noDatabase({ where })],
  [/^(42501|3F000)$/, (where, { message }) => problems.noRights({ where, reason: message })],
  [/^42(P0[1267]|70[1346])$/, (where, { message }) => problems.otherTables({ where, reason: message })],
  [/^XX00[12]$/, (where, { message }) => problems.damaged({ where, reason: message })],
  [/^53300$/, (where) => problems.noPlaces({ where })],
  [/^57P03$/, (where) => problems.notReachable({ where, code: '57P03' })],
];

/** The words for what the driver says when the server has said nothing. */
const BY_MESSAGE: readonly [RegExp, Words][] = [
  [/^SASL|password/i, (where) => problems.wrongLogin({ where })],
  [/does not support SSL/, (where) => problems.noEncryption({ where })],
  [
    /timeout expired|Connection terminated|nothing came from the server/,
    (where, { message }) => problems.notReachable({ where, code: message }),
  ],
  [/is a standby/, (where) => problems.standby({ where })],
];

/**
 * @param where the host, the port and the name of the database.
 * @returns an error that says what to do, where the person who starts the node can do something. It returns every other
 * error as it is.
 */
export function inWords(error: unknown, where: string): unknown {
  if (error instanceof ReportedError || !(error instanceof Error)) return error;
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const words = wordsOf(cause, where);
    if (words !== undefined) return new ReportedError(words);
  }
  return error;
}

function wordsOf(error: Error, where: string): string | undefined {
  const state = 'severity' in error ? sqlState(error) : undefined;
  if (state !== undefined) return BY_STATE.find(([states]) => states.test(state))?.[1](where, error);
  const code = 'code' in error ? String(error.code) : '';
  if (UNREACHABLE.test(code)) return problems.notReachable({ where, code });
  if (UNTRUSTED.test(code)) return problems.badCertificate({ where, code });
  return BY_MESSAGE.find(([messages]) => messages.test(error.message))?.[1](where, error);
}
