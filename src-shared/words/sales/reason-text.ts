import { isFailure } from '../../payment-failures.ts';
import { getPaid } from '../console/get-paid.ts';
import { payments } from '../console/payments.ts';
import { firstSentence } from '../language/first-sentence.ts';
import { area } from '../language/language.ts';
import { paymentFailureText } from '../payment-failures.ts';

const closings = area('closings');

/** Why payments failed that were sent, as a line of a list. @param code of the reason; null for all others */
export const paymentReasonText = (code: string | null): string =>
  code === null ? closings.otherReasons : firstSentence(paymentFailureText(isFailure(code) ? code : ''));

/** Why refunds came to no payment, in the same way. */
export const refundReasonText = (code: string | null): string =>
  code === null ? closings.otherReasons : firstSentence(payments.refundFailureText(code));

/** Why customers could not pay, in the same way. */
export function attemptReasonText(code: string | null): string {
  const reasons: Readonly<Record<string, string>> = getPaid.attempts.reasons;
  return code === null ? closings.otherReasons : firstSentence(reasons[code] ?? paymentFailureText(''));
}
