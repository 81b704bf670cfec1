import { expect, type Locator } from '@playwright/test';

/**
 * Chooses the first option that matches `typed`, as a person with a keyboard does: opens the list, types, presses
 * Enter. Playwright's `fill` opens and types within one task, which no person can do. The list marks its chosen option
 * in the task after the one that opens it, and would then forget the first match.
 * @param field the combobox of a list that can be searched
 */
export async function chooseByTyping(field: Locator, typed: string): Promise<void> {
  const page = field.page();
  await field.click();
  await expect(page.getByRole('listbox')).toBeVisible();
  await field.selectText();
  await field.pressSequentially(typed);
  const first = page.getByRole('listbox').getByRole('option').first();
  await expect(first).toContainText(typed);
  await expect(first).toHaveAttribute('data-combobox-selected', 'true');
  await field.press('Enter');
  await expect(page.getByRole('listbox')).toBeHidden();
}
