import { expect, test } from 'vitest';
import { IncomingPaymentRequest } from './resource-schemas.ts';

test.each([
  ['2027-01-01T00:00:00Z', true],
  ['2027-01-01T00:00:00.123456789+05:45', true],
  ['9999-12-31T23:59:59.999Z', true],
  // In UTC this time has a year of five digits, which no date on the wire can have (RFC 3339).
  ['9999-12-31T23:59:59-00:01', false],
  ['2027-01-01T00:00:00', false],
  ['2027-02-29T00:00:00Z', false],
])('the schema takes a payment that expires at %s: %s', (expiresAt, isTaken) => {
  expect(IncomingPaymentRequest.safeParse({ expiresAt }).success).toBe(isTaken);
});
