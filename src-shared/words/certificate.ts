import type { CertificateProblem } from '../operator-contract/health-checks.ts';
import { area } from './language/language.ts';

const text = area('certificate');

/** Why the files of a certificate cannot be used. */
export const certificateProblemText = ({ code, file }: CertificateProblem): string =>
  code === 'key_of_another' ? text.key_of_another : text[code]({ file });
