import { expect, it } from 'vitest';
import { shellWord } from './words.ts';

it('puts a path into quotes only when a shell would take it apart', () => {
  expect(shellWord('/srv/pay.desk_2/data')).toBe('/srv/pay.desk_2/data');
  expect(shellWord('C:\\data\\paydesk')).toBe('C:\\data\\paydesk');
  expect(shellWord('/srv/Application Support/paydesk')).toBe('"/srv/Application Support/paydesk"');
});
