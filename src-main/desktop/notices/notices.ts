import { type Amount, toDecimal } from '../../../src-shared/amounts.ts';
import type { ApprovalRequest } from '../../../src-shared/operator-contract/approvals.ts';
import type { Budget, Grant } from '../../../src-shared/operator-contract/apps.ts';
import type { Payment, PaymentDetail } from '../../../src-shared/operator-contract/payments/payments.ts';
import { notices as words } from '../../../src-shared/words/desktop/notices.ts';
import { inertText, shortened } from '../../../src-shared/words/inert-text.ts';
import { paymentFailureText } from '../../../src-shared/words/payment-failures.ts';
import type { BudgetLevel } from './budget-levels.ts';
import type { Detail } from './notification-rules.ts';
import type { Many } from './occasions.ts';

/** A notification that the system shows. */
export interface Notice {
  title: string;
  body: string;
  /** The console's address that a click on the notification opens. */
  screen: string;
}

const NOTE_LENGTH = 120;
const NAME_LENGTH = 60;

const amountText = ({ value, assetCode, assetScale }: Amount): string => `${toDecimal(value, assetScale)} ${assetCode}`;

/**
 * Text of a stranger. Some systems read HTML in a notification, so angle brackets are replaced by signs that look
 * alike.
 */
const strangersText = (text: string, length: number): string =>
  shortened(inertText(text).replaceAll('<', '‹').replaceAll('>', '›'), length).text;

/** The part of an app's identity that the node has verified. */
const appName = ({ client }: Pick<ApprovalRequest | Grant, 'client'>): string =>
  client.host === null ? words.someApp : strangersText(client.host, NAME_LENGTH);

/** An incoming payment was paid, or its app closed it with a part. The notice has the words of the list of payments. */
export function paidNotice(
  payment: Pick<Payment, 'id' | 'status' | 'progress' | 'accountName' | 'description' | 'reference'>,
  detail: Detail,
): Notice {
  const screen = `/payments/${payment.id}`;
  const { status } = payment;
  if (detail === 'nothing') return { title: words.state(status), body: '', screen };
  const account = strangersText(payment.accountName, NAME_LENGTH);
  if (detail === 'no_amounts') return { title: words.state(status), body: words.into({ account }), screen };
  const note = payment.description ?? payment.reference;
  const title = words.stateOf(status, amountText(payment.progress), account);
  return { title, body: note === null ? '' : strangersText(note, NOTE_LENGTH), screen };
}

/** A payment has ended without success. */
export function failedNotice(
  payment: Pick<PaymentDetail, 'id' | 'amount' | 'progress' | 'accountName' | 'failure'>,
  detail: Detail,
): Notice {
  const screen = `/payments/${payment.id}`;
  if (detail === 'nothing') return { title: words.paymentFailed, body: '', screen };
  const account = strangersText(payment.accountName, NAME_LENGTH);
  const title =
    detail === 'everything'
      ? words.paymentOf({ amount: amountText(payment.amount ?? payment.progress), account })
      : words.paymentFrom({ account });
  return { title, body: payment.failure === null ? '' : paymentFailureText(payment.failure.code), screen };
}

/** A customer names a wallet for a refund, and the operator decides. */
export function claimNotice(payment: Pick<Payment, 'id' | 'accountName'>, detail: Detail): Notice {
  const account = strangersText(payment.accountName, NAME_LENGTH);
  const body = detail === 'nothing' ? '' : words.claimAdvice({ account });
  return { title: words.claimWaits, body, screen: `/payments/${payment.id}` };
}

/** An app waits for the operator's decision. */
export function approvalNotice(request: Pick<ApprovalRequest, 'id' | 'client'>, detail: Detail): Notice {
  const who = detail === 'nothing' ? words.someApp : appName(request);
  return { title: words.asks({ app: who }), body: words.asksAdvice, screen: `/approvals/${request.id}` };
}

/** An app has used most of what it may spend, or all of it. */
export function budgetNotice(grant: Pick<Grant, 'id' | 'client'>, budget: Budget, level: BudgetLevel, detail: Detail): Notice {
  const who = detail === 'nothing' ? words.someApp : appName(grant);
  const title = level === 100 ? words.allUsed({ app: who }) : words.mostUsed({ app: who });
  const body = detail === 'everything' ? words.spentOf({ spent: amountText(budget.spent), limit: amountText(budget.limit) }) : '';
  return { title, body, screen: `/apps/${grant.id}` };
}

/** Several events of one kind at once. Their number tells neither names nor amounts. */
export function manyNotice(kind: Many, count: number): Notice {
  switch (kind) {
    case 'many_paid':
      return { title: words.manyPaid({ count }), body: '', screen: '/payments' };
    case 'many_failed':
      return { title: words.manyFailed({ count }), body: '', screen: '/payments' };
    case 'many_claims':
      return { title: words.manyClaims({ count }), body: '', screen: '/' };
    case 'many_approvals':
      return { title: words.manyAsk({ count }), body: '', screen: '/approvals' };
  }
}
