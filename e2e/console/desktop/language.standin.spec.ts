import { browser, expect, test } from '../fixtures.ts';
import { startDesktopApp } from '../hosts/desktop-app.ts';
import { StandInSystem } from '../hosts/stand-in-system.ts';

/** What the tests set otherwise, so that they read English. */
const OWN_LANGUAGE = { PAYDESK_MESSAGE_LANGUAGE: '' };

test('the desktop app speaks the first language of its user that it knows', async () => {
  const env = { ...OWN_LANGUAGE, STANDIN_LANGUAGES: '["nl-NL","de-AT","en-US"]' };
  const app = await startDesktopApp(browser(), [], { env });
  const system = await StandInSystem.of(app.electron);
  await expect.poll(() => system.trayMenu()).toEqual(['(läuft)', '(Keine Anfragen warten)', 'paydesk öffnen', 'Beenden']);
  await app.quit();
});

test('the desktop app speaks the language that it is told', { tag: '@long' }, async () => {
  const env = { ...OWN_LANGUAGE, STANDIN_LANGUAGES: '["de-AT"]' };
  const app = await startDesktopApp(browser(), ['--message-language', 'fr'], { env });
  const system = await StandInSystem.of(app.electron);
  await expect.poll(() => system.trayMenu()).toContain('Ouvrir paydesk');
  await app.quit();
});
