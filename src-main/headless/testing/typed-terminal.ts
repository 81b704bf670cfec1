import type { ApprovalRequest } from '../../../src-shared/operator-contract/approvals.ts';
import type { Terminal } from '../terminal.ts';

const usd = (value: bigint) => ({ value, assetCode: 'USD', assetScale: 2 });

/** A grant request for up to 50 dollars from the account `main`. The members of `over` replace its own. */
export const askedRequest = (over: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  id: '00000000-0000-4000-8000-000000000001',
  client: { id: 'https://shop.example/till', host: 'shop.example/till', selfAssertedName: 'Corner Bookshop' },
  access: [
    {
      type: 'outgoing-payment',
      actions: ['create', 'read'],
      identifier: 'https://pay.example/main',
      limits: { receiver: null, interval: null, debitAmount: usd(5_000n), receiveAmount: null },
    },
  ],
  subject: null,
  account: {
    id: '00000000-0000-4000-8000-000000000002',
    name: 'main',
    publicName: 'Corner Bakery',
    walletAddress: 'https://pay.example/main',
  },
  nextWindows: [],
  returnsTo: 'https://shop.example/return?x=1',
  opened: true,
  unlimited: false,
  suggestedLimit: null,
  payee: null,
  wrongCodes: 0,
  createdAt: new Date('2026-03-14T10:19:00Z'),
  lapsesAt: new Date('2026-03-14T10:29:00Z'),
  shownHash: '-hash-of-what-is-shown',
  ...over,
});

/** The same request without an amount. */
export const unlimitedRequest = (over: Partial<ApprovalRequest> = {}): ApprovalRequest => {
  const asked = askedRequest({ unlimited: true, ...over });
  return { ...asked, access: asked.access.map((right) => ({ ...right, limits: null })) };
};

/** A terminal that remembers what it shows. The `answers` are typed one after the other, and then the input ends. */
export class TestTerminal implements Terminal {
  readonly attended: boolean;
  readonly printed: string[] = [];
  readonly questions: string[] = [];
  readonly #answers: string[];

  constructor({ attended = true, answers = [] }: { attended?: boolean; answers?: readonly string[] }) {
    this.attended = attended;
    this.#answers = [...answers];
  }

  print(line: string): void {
    this.printed.push(line);
  }
  ask(question: string): Promise<string> {
    this.questions.push(question);
    return Promise.resolve(this.#answers.shift() ?? '');
  }
  askSecretly(question: string): Promise<string> {
    return this.ask(question);
  }
}
