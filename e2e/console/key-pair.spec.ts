import { createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createAccount } from '../support/clients/flows.ts';
import { AccountPage, AccountsPage } from './pages/account-page.ts';
import { Sections } from './pages/sections.ts';
import { expect, test } from './story-fixtures.ts';

test('the browser makes a pair of keys, and shows its private key once', async ({ desk: { page, operator }, node }) => {
  const { id } = await createAccount(node, 'till', 0n);
  await new Sections(page).goTo('Accounts');
  await new AccountsPage(page).rows.click();
  const account = new AccountPage(page);
  await account.open('Add key');
  await account.dialog.getByText('Make one for it').click();
  await account.keyLabel.fill('Till at the door');
  await account.press('Make the pair');
  await expect(account.dialog).toContainText('You can download it now, and never again');
  const saved = page.waitForEvent('download');
  await account.press('Download the private key');
  const file = await saved;
  expect(file.suggestedFilename()).toBe('till-at-the-door.pem');
  const pem = readFileSync(await file.path(), 'utf8');
  await account.press('Done');
  await expect(account.keys).toContainText('Till at the door');
  const [key] = await operator.accounts.keys.list({ id });
  const jwks = (await (await fetch(`${node.publicUrl}/till/jwks.json`)).json()) as { keys: { kid: string; x: string }[] };
  expect(jwks.keys.find(({ kid }) => kid === key?.kid)?.x).toBe(createPublicKey(createPrivateKey(pem)).export({ format: 'jwk' }).x);

  await account.open('Add key');
  await account.keyLabel.fill('From a file');
  const path = test.info().outputPath('key.pem');
  writeFileSync(path, createPublicKey(createPrivateKey(pem)).export({ type: 'spki', format: 'pem' }));
  await account.dialog.locator('input[type=file]').setInputFiles(path);
  await expect(account.jwk).toHaveValue(/BEGIN PUBLIC KEY/);
  await account.press('Add key');
  await expect(account.keys).toContainText('From a file');
});
