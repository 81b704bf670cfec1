import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { INCOMING_STATUSES } from '../src-shared/incoming-status.ts';
import { payments } from '../src-shared/words/console/payments.ts';

const api = readFileSync(join(import.meta.dirname, '../docs/api.md'), 'utf8');

test.each(INCOMING_STATUSES)('the API document names the state %s of an incoming payment in the words of the console', (status) => {
  expect(api).toContain(`| \`${status}\` | ${payments.statuses[status]} |`);
});
