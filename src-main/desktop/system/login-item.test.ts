import { expect, it } from 'vitest';
import { loginItem } from './login-item.ts';

const program = { executable: '/opt/pay desk/paydesk', arguments: ['/a$b"c`d\\e', '100%'] };

it('starting at login is a call of the system, which also gets the app’s folder when the app is not the program itself', () => {
  for (const platform of ['darwin', 'win32'] as const) {
    const item = loginItem(platform, { executable: 'C:\\Program Files\\electron.exe', arguments: ['C:\\pay desk'] }, '/c');
    expect(item).toEqual({ kind: 'system', arguments: ['C:\\pay desk', '--hidden'] });
  }
});

it('starting at login is a file on Linux, in which nothing of a path is read as a command', () => {
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

it('starting at login is not offered elsewhere', () => {
  expect(loginItem('freebsd', program, '/c')).toEqual({ kind: 'none' });
});
