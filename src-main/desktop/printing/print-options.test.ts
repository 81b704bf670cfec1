import { expect, it } from 'vitest';
import { namedApart, silently } from './print-options.ts';

it('a receipt is printed without a question: on A4, or on a roll that is as long as the receipt', () => {
  const rest = { silent: true, deviceName: 'P', margins: { marginType: 'default' } };
  expect(silently('P', 'a4', 2_000)).toEqual({ ...rest, pageSize: 'A4' });
  // 960 pixels are 254 mm, and the margins of 4 mm and 4 mm of room come on top.
  expect(silently('P', 'roll80', 960)).toEqual({ ...rest, pageSize: { width: 80_000, height: 266_000 } });
  expect(silently('P', 'roll58', 0.5)).toEqual({ ...rest, pageSize: { width: 58_000, height: 11_000 } });
});

it('printers are named as people know them, and two of one name by what the system calls them as well', () => {
  const printers = [
    ...[
      { name: 'hp_1', displayName: 'Office' },
      { name: 'hp_2', displayName: 'Office ' },
    ],
    { name: 'epson', displayName: '' },
  ];
  expect(namedApart(printers)).toEqual([
    { device: 'hp_1', name: 'Office (hp_1)' },
    { device: 'hp_2', name: 'Office (hp_2)' },
    { device: 'epson', name: 'epson' },
  ]);
});
