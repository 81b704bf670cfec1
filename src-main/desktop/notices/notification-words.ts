import { type Amount, toDecimal } from '../../../src-shared/amounts.ts';
import type { ApprovalRequest, Budget, Grant } from '../../../src-shared/operator-contract/access.ts';
import type { Payment, PaymentDetail } from '../../../src-shared/operator-contract/payments.ts';
import { inertText, shortened } from '../../../src-shared/words/inert-text.ts';
import type { BudgetLevel } from './budget-levels.ts';
import type { Detail } from './notification-rules.ts';

/** A notification of the system. */
export interface Notice {
  title: string;
  body: string;
  /** The console's address a click on it opens. */
  screen: string;
}

const NOTE_LENGTH = 120;
const NAME_LENGTH = 60;

const amountText = ({ value, assetCode, assetScale }: Amount): string => `${toDecimal(value, assetScale)} ${assetCode}`;

/**
 * Text of a stranger. Some systems read marks of HTML in a notification, so that brackets are put as what only looks like them.
 */
const strangersText = (text: string, length: number): string =>
  shortened(inertText(text).replaceAll('<', '‹').replaceAll('>', '›'), length).text;

/** The verified part of who an app is. */
const appName = ({ client }: Pick<ApprovalRequest | Grant, 'client'>): string =>
  client.host === null ? 'An app' : strangersText(client.host, NAME_LENGTH);

/** Money has come in full. */
export function paidNotice(
  payment: Pick<Payment, 'id' | 'progress' | 'accountName' | 'description' | 'reference'>,
  detail: Detail,
): Notice {
  const screen = `/payments/${payment.id}`;
  if (detail === 'nothing') return { title: 'You were paid', body: '', screen };
  const account = strangersText(payment.accountName, NAME_LENGTH);
  if (detail === 'no_amounts') return { title: 'You were paid', body: `Into ${account}`, screen };
  const note = payment.description ?? payment.reference;
  const title = `${amountText(payment.progress)} received into ${account}`;
  return { title, body: note === null ? '' : strangersText(note, NOTE_LENGTH), screen };
}

/** A payment has ended without success. */
export function failedNotice(
  payment: Pick<PaymentDetail, 'id' | 'amount' | 'progress' | 'accountName' | 'failure'>,
  detail: Detail,
): Notice {
  const screen = `/payments/${payment.id}`;
  if (detail === 'nothing') return { title: 'A payment failed', body: '', screen };
  const account = strangersText(payment.accountName, NAME_LENGTH);
  const what = detail === 'everything' ? `A payment of ${amountText(payment.amount ?? payment.progress)}` : 'A payment';
  return { title: `${what} from ${account} failed`, body: payment.failure?.explanation ?? '', screen };
}

/** An app waits for the operator's decision. */
export function approvalNotice(request: Pick<ApprovalRequest, 'id' | 'client'>, detail: Detail): Notice {
  const who = detail === 'nothing' ? 'An app' : appName(request);
  return {
    title: `${who} asks for your approval`,
    body: 'Look at what it wants, then allow or refuse it.',
    screen: `/approvals/${request.id}`,
  };
}

/** An app has used most of what it may spend, or all of it. */
export function budgetNotice(grant: Pick<Grant, 'id' | 'client'>, budget: Budget, level: BudgetLevel, detail: Detail): Notice {
  const who = detail === 'nothing' ? 'An app' : appName(grant);
  const how = level === 100 ? 'all' : 'most';
  const amounts = `${amountText(budget.spent)} of ${amountText(budget.limit)}`;
  return { title: `${who} has used ${how} of its budget`, body: detail === 'everything' ? amounts : '', screen: `/apps/${grant.id}` };
}

/** Several things of a kind at once. How many there are says nothing of whom or how much. */
export function manyNotice(kind: 'many_paid' | 'many_failed' | 'many_approvals', count: number): Notice {
  switch (kind) {
    case 'many_paid':
      return { title: `You were paid ${count} times`, body: '', screen: '/payments' };
    case 'many_failed':
      return { title: `${count} payments failed`, body: '', screen: '/payments' };
    case 'many_approvals':
      return { title: `${count} requests ask for your approval`, body: '', screen: '/approvals' };
  }
}
