import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ChosenPrinter } from './chosen-printer.ts';

let profile: string;
beforeEach(() => {
  profile = mkdtempSync(join(tmpdir(), 'paydesk-printer-'));
});
afterEach(() => rmSync(profile, { recursive: true }));

it('the choice of a printer is kept in the profile, and a file that says something else chooses none', () => {
  const chosen = new ChosenPrinter(profile);
  expect(chosen.device).toBeUndefined();
  expect([chosen.choose('Counter_80'), chosen.device, new ChosenPrinter(profile).device]).toEqual([true, 'Counter_80', 'Counter_80']);
  for (const text of ['{"device":7}', '{"device":""}', 'none']) {
    writeFileSync(join(profile, 'receipt-printer.json'), text);
    expect(new ChosenPrinter(profile).device).toBeUndefined();
  }
});

it('a choice that cannot be written changes nothing', () => {
  const chosen = new ChosenPrinter(join(profile, 'gone'));
  expect([chosen.choose('Counter_80'), chosen.device]).toEqual([false, undefined]);
});
