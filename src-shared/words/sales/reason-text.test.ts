import { expect, it } from 'vitest';
import { attemptReasonText, paymentReasonText, refundReasonText } from './reason-text.ts';

it('says a reason in one sentence, without what to do about it', () => {
  expect(paymentReasonText('no_route')).toBe('No peer leads to the receiver’s wallet.');
  expect(refundReasonText('price_changed')).toBe('The price rose before the money could be sent.');
  expect(attemptReasonText('wallet_unreachable')).toBe('Their wallet does not answer.');
  expect(attemptReasonText('rejected')).toBe('They said no at their wallet.');
});

it('has words for a reason of another version, and for all others together', () => {
  const unknown = 'It failed for a reason this version of paydesk does not know.';
  expect([paymentReasonText('newer'), attemptReasonText('newer')]).toEqual([unknown, unknown]);
  expect(refundReasonText('newer')).toBe('It could not be sent.');
  for (const text of [paymentReasonText, refundReasonText, attemptReasonText]) expect(text(null)).toBe('Other reasons');
});
