import { describe, expect, it } from 'vitest';
import { screenSizes } from './screen-sizes.mjs';

const chunk = (fileName: string, bytes: number, rest: Partial<Parameters<typeof screenSizes>[0][number]> = {}) => ({
  fileName,
  bytes,
  zipped: bytes / 2,
  isEntry: false,
  facade: null,
  imports: [],
  dynamicImports: [],
  ...rest,
});

const CHUNKS = [
  chunk('index.js', 100, {
    isEntry: true,
    facade: '/src/index.html',
    imports: ['shared.js'],
    dynamicImports: ['pay.js', 'rates.js', 'shared.js'],
  }),
  chunk('other.js', 7, { isEntry: true, facade: '/src/other.html', imports: ['shared.js'] }),
  chunk('shared.js', 40, { imports: ['index.js'] }),
  chunk('pay.js', 6, { facade: '/src/pay/pay-page.tsx', imports: ['shared.js', 'inputs.js'] }),
  chunk('rates.js', 20, { facade: '/src/rates/rates-page.tsx', imports: ['inputs.js'] }),
  chunk('inputs.js', 10, { imports: ['shared.js'] }),
];

describe('the sizes of the screens', () => {
  it('count the files of the start once, and for each screen only the files that it adds', () => {
    expect(screenSizes(CHUNKS, ['index.html'])).toEqual([
      { screen: 'start', bytes: 140, zipped: 70 },
      { screen: 'rates', bytes: 30, zipped: 15 },
      { screen: 'pay', bytes: 16, zipped: 8 },
    ]);
  });

  it('count of each language the words with which the console starts, and not its other parts', () => {
    const words = (name: string) => chunk(`${name}.js`, 30, { facade: `/src/catalogues/pt-BR/${name}` });
    const catalogues = [words('console.ts'), words('catalogue.ts'), words('console-rates.json')];
    const start = chunk('index.js', 100, {
      isEntry: true,
      facade: '/src/index.html',
      dynamicImports: catalogues.map((one) => one.fileName),
    });
    expect(screenSizes([start, ...catalogues], ['index.html'])).toEqual([
      { screen: 'start', bytes: 100, zipped: 50 },
      { screen: 'words of pt-BR', bytes: 30, zipped: 15 },
    ]);
  });

  it('report a page that was not built', () => {
    expect(() => screenSizes(CHUNKS, ['index.htm'])).toThrow('nothing was built from index.htm');
  });
});
