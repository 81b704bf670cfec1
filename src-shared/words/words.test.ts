import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { shellWord } from './words.ts';

it('puts a path into quotes only when a shell would take it apart', () => {
  expect(shellWord('/srv/pay.desk_2/data')).toBe('/srv/pay.desk_2/data');
  expect(shellWord('C:\\data\\paydesk')).toBe('C:\\data\\paydesk');
  expect(shellWord('/srv/Application Support/paydesk')).toBe("'/srv/Application Support/paydesk'");
  expect(shellWord('C:\\Program Files\\paydesk')).toBe('"C:\\Program Files\\paydesk"');
});

it.skipIf(process.platform === 'win32')('gives a shell back exactly the path, whatever stands in it', () => {
  for (const path of ['/srv/a b', '/srv/$HOME/`id`', "/srv/it's/\\", '/srv/"x" & y; exit 3', '/srv/*?~!#'])
    expect(execFileSync('sh', ['-c', `printf %s ${shellWord(path)}`], { encoding: 'utf8' })).toBe(path);
});
