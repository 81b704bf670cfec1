import { counted } from '../words.ts';

/** What the commands `approvals`, `approve` and `deny` print beside the words of the request itself. */
export const approvalWords = {
  notAnId: 'That is not the id of a request. "approvals" lists them.',
  none: 'No app asks for anything. A request is listed here once its page has been opened.',
  howToAnswer: 'To answer, type "approve ID" or "deny ID".',
  request: (id: string) => `Request ${id}`,
  app: 'App',
  callsItself: 'Calls itself',
  code: 'Code',
  inScript: 'In a script',
  wrongCodes: (count: number) => (count === 0 ? '' : ` ${counted(count, 'wrong code was', 'wrong codes were')} typed so far.`),
  denied: (app: string) => `Denied: ${app}.`,
  typeApprove: 'Type "approve" to allow exactly this: ',
  codeQuestion: 'Code on the page: ',
  limitQuestion: (label: string) => `${label} (nothing for any amount): `,
  notAllowed: (id: string) => `Nothing was allowed. The request goes on waiting until it lapses; "deny ${id}" refuses it.`,
  unattended: 'Nothing was allowed. Nobody is at a terminal: add the --confirm value of the request you have read.',
  otherRequest: 'Nothing was allowed. This is not the request that --confirm stands for: it has changed, or the value is another one’s.',
  codeNeeded: 'Nothing was allowed. The code is the four digits on the page in front of whoever asks.',

  hasAmount: 'This request says how much it asks for, so --any-amount-from has nothing to allow.',
  chooseOne: 'Choose one of --limit and --any-amount-from.',
  accountIs: (name: string) => `It is "${name}".`,
  limitNeeded: (account: string) => `Say how much it may spend with --limit, or --any-amount-from ${account} to allow any amount.`,
  nothingToLimit: 'It asks for no payments from an account, so --limit has nothing to lower.',
  nothingArrives: 'It does not say how much may arrive, so --limit-arriving has nothing to lower.',
  amountWrong: (option: string, currency: string, decimals: number, typed: string) =>
    `--${option} must be an amount of ${currency} above zero, with at most ${decimals} decimal places: not "${typed}".`,
  dayWrong: (typed: string) => `--last-day must be a day such as 2030-12-31, not "${typed}".`,
} as const;
