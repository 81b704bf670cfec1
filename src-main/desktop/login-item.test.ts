import { expect, it } from 'vitest';
import { loginItem } from './login-item.ts';

const program = { executable: '/opt/pay desk/paydesk', arguments: ['/a$b"c`d\\e', '100%'] };

it('is left to systems that have a call for it', () => {
  for (const platform of ['darwin', 'win32'] as const) expect(loginItem(platform, program, '/c')).toEqual({ kind: 'system' });
});

it('is a file on Linux, in which nothing of a path is read as a command', () => {
  expect(loginItem('linux', program, '/home-of/config')).toEqual({
    kind: 'file',
    path: '/home-of/config/autostart/paydesk.desktop',
    content: [
      '[Desktop Entry]',
      'Type=Application',
      'Name=paydesk',
      'Exec="/opt/pay desk/paydesk" "/a\\\\$b\\\\"c\\\\`d\\\\\\\\e" "100%%" "--hidden"',
      'Terminal=false',
      '',
    ].join('\n'),
  });
});

it('is not offered elsewhere', () => {
  expect(loginItem('freebsd', program, '/c')).toEqual({ kind: 'none' });
});
