import { expect, test } from './console/fixtures.ts';
for (const lang of (process.env.LANGS ?? 'es,pt-BR').split(',')) {
  test(`look ${lang}`, async ({ desk: { page, operator } }) => {
    await operator.accounts.create({ requestId: crypto.randomUUID(), name: 'till', publicName: 'Bücher Müller', assetCode: 'EUR', assetScale: 2, openingBalance: 123456n });
    await page.evaluate((l) => { localStorage.setItem('paydesk-language', l); }, lang);
    const base = page.url().split('#')[0];
    for (const [n, path] of [['overview', '/'], ['get-paid', '/get-paid'], ['payments', '/payments'], ['settings', '/settings'], ['peers', '/peers'], ['health', '/health']] as const) {
      await page.goto(new URL(path, base).href); await page.reload();
      await page.waitForTimeout(1500);
      await page.screenshot({ path: `/tmp/look/${lang}-${n}.png`, fullPage: n !== 'overview' });
      if (n !== 'settings') continue;
      await page.setViewportSize({ width: 390, height: 844 });
      await page.screenshot({ path: `/tmp/look/${lang}-${n}-phone.png` });
      await page.setViewportSize({ width: 1280, height: 720 });
    }
    expect(1).toBe(1);
  });
}
