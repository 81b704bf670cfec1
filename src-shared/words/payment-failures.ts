import { isFailure } from '../payment-failures.ts';
import { area } from './language/language.ts';

const text = area('paymentFailures');

/** Why a payment failed, and what became of its money. */
export const paymentFailureText = (code: string): string => (isFailure(code) ? text[code] : text.other);
