import { expect, test } from './story-fixtures.ts';

// Files that screens share run with whatever screen is opened first. Their modules may not read the words of another.

const SCREENS = [
  ...['/', '/welcome', '/till', '/get-paid', '/payments', '/pay', '/reach', '/peers', '/peers/new', '/peers/invite', '/peers/accept'],
  ...['/peers/rafiki', '/rates', '/health', '/health/log', '/activity', '/products', '/closings', '/reports', '/statements'],
  ...['/settings', '/approvals', '/apps', '/accounts', '/accounts/new', '/restore'],
];

test('each screen can be the first one that a browser loads', async ({ desk: { page } }) => {
  const here = page.url();
  for (const screen of SCREENS) {
    await page.goto(new URL(screen, here).href);
    await expect(page.getByRole('heading', { level: 1 }).first(), screen).toBeVisible();
    await expect(page.getByText('This part of the console has stopped'), screen).toHaveCount(0);
  }
});
