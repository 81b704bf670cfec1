import { expect, it } from 'vitest';
import { appImage } from './app-image.ts';

const MOUNTED = '/tmp/.mount_paydesAbCdEf';
const IMAGE = { APPIMAGE: '/home-of/Apps/paydesk 1.AppImage', APPDIR: MOUNTED };

it('the app finds the AppImage that was started, and not the folder to which it was unpacked', () => {
  expect(appImage(`${MOUNTED}/paydesk`, IMAGE)).toBe(IMAGE.APPIMAGE);
});

it.each([
  ['/opt/paydesk/paydesk', IMAGE],
  [`${MOUNTED}er/paydesk`, IMAGE],
  [`${MOUNTED}/paydesk`, {}],
  [`${MOUNTED}/paydesk`, { APPIMAGE: IMAGE.APPIMAGE }],
  [`${MOUNTED}/paydesk`, { ...IMAGE, APPIMAGE: 'paydesk.AppImage' }],
])('the app finds no AppImage for %s with %j', (program, env) => {
  expect(appImage(program, env)).toBeUndefined();
});
