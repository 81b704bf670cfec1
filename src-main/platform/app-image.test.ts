import { expect, it } from 'vitest';
import { appImage } from './app-image.ts';

const MOUNTED = '/tmp/.mount_paydesAbCdEf';
const IMAGE = { APPIMAGE: '/home-of/Apps/paydesk 1.AppImage', APPDIR: MOUNTED };

it('is what was started, not what it was unpacked to', () => {
  expect(appImage(`${MOUNTED}/paydesk`, IMAGE)).toBe(IMAGE.APPIMAGE);
});

it.each([
  ['/opt/paydesk/paydesk', IMAGE],
  [`${MOUNTED}er/paydesk`, IMAGE],
  [`${MOUNTED}/paydesk`, {}],
  [`${MOUNTED}/paydesk`, { APPIMAGE: IMAGE.APPIMAGE }],
  [`${MOUNTED}/paydesk`, { ...IMAGE, APPIMAGE: 'paydesk.AppImage' }],
])('is none for %s with %j', (program, env) => {
  expect(appImage(program, env)).toBeUndefined();
});
