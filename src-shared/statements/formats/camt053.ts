import {
  aboutOf,
  amountOf,
  partyOf,
  type SideSum,
  type StatementHead,
  type StatementKind,
  type StatementLine,
  type StatementWords,
  type StatementWriter,
  sizeOf,
  suits,
} from '../statement.ts';
import { element, textElement, xmlText } from './xml.ts';

// A bank-to-customer statement of ISO 20022, camt.053.001.08. The order of the elements is that of its schema.

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08';

/** The family of each movement within payments (PMNT), by the external code list of bank transactions. */
const FAMILIES: Readonly<Record<StatementKind, string>> = {
  received: 'RCDT',
  sent: 'ICDT',
  refunded: 'ICDT',
  returned: 'MCOP',
  deposit: 'MCOP',
  withdrawal: 'MDOP',
};

const LENGTHS = { id: 35, account: 34, name: 140, accountName: 70, text: 140, more: 500 } as const;

const indicator = (value: bigint): string => element('CdtDbtInd', value < 0n ? 'DBIT' : 'CRDT');

/** A UUID without its hyphens, because an id may have 35 characters. */
export const shortId = (id: string): string => id.replaceAll('-', '');

const instant = (at: number): string => new Date(at).toISOString().replace(/\.\d{3}Z$/, '+00:00');

/** The statement as one XML document. */
export function camt053(head: StatementHead, words: StatementWords): StatementWriter {
  const amount = (value: bigint) => `<Amt Ccy="${xmlText(head.assetCode, 3)}">${amountOf(head, sizeOf(value))}</Amt>`;
  const balance = (code: string, value: bigint, day: string) =>
    element(
      'Bal',
      element('Tp', element('CdOrPrtry', element('Cd', code))),
      amount(value),
      indicator(value),
      element('Dt', element('Dt', day)),
    );
  const side = (name: string, { sum, count }: SideSum) =>
    element(name, element('NbOfNtries', String(count)), element('Sum', amountOf(head, sum)));
  return {
    begin: () => {
      const { credits, debits } = head;
      const made = element('CreDtTm', instant(head.lastAt));
      const net = credits.sum - debits.sum;
      return [
        `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${NAMESPACE}"><BkToCstmrStmt>`,
        element('GrpHdr', textElement('MsgId', head.id, LENGTHS.id), made),
        '<Stmt>',
        textElement('Id', head.id, LENGTHS.id),
        made,
        element('FrToDt', element('FrDtTm', instant(head.start)), element('ToDtTm', instant(head.end))),
        element(
          'Acct',
          element('Id', element('Othr', textElement('Id', shortId(head.accountId), LENGTHS.account))),
          textElement('Ccy', head.assetCode, 3),
          textElement('Nm', head.publicName, LENGTHS.accountName),
          // It may be left out, but programs read it without asking whether it is there.
          element('Svcr', element('FinInstnId', element('Othr', textElement('Id', new URL(head.walletAddress).host, LENGTHS.id)))),
        ),
        balance('OPBD', head.opening, head.from),
        // A day that is not over has an interim balance.
        balance(head.isEnded ? 'CLBD' : 'ITBD', head.closing, head.to),
        element(
          'TxsSummry',
          element(
            'TtlNtries',
            element('NbOfNtries', String(credits.count + debits.count)),
            element('Sum', amountOf(head, credits.sum + debits.sum)),
            element('TtlNetNtry', element('Amt', amountOf(head, sizeOf(net))), indicator(net)),
          ),
          side('TtlCdtNtries', credits),
          side('TtlDbtNtries', debits),
        ),
        '\n',
      ].join('');
    },
    line: (line) => `${entry(head, line, amount, words)}\n`,
    end: () => '</Stmt></BkToCstmrStmt></Document>\n',
  };
}

function entry(head: StatementHead, line: StatementLine, amount: (value: bigint) => string, words: StatementWords): string {
  const day = element('Dt', line.day);
  const more = [line.walletAddress, line.reference, line.note].filter((text) => text !== null && text !== '').join(' / ');
  return element(
    'Ntry',
    textElement('NtryRef', shortId(line.id), LENGTHS.id),
    amount(line.change),
    indicator(line.change),
    element('Sts', element('Cd', 'BOOK')),
    element('BookgDt', day),
    element('ValDt', day),
    textElement('AcctSvcrRef', shortId(line.id), LENGTHS.id),
    element(
      'BkTxCd',
      element('Domn', element('Cd', 'PMNT'), element('Fmly', element('Cd', FAMILIES[line.kind]), element('SubFmlyCd', 'OTHR'))),
    ),
    element(
      'NtryDtls',
      element(
        'TxDtls',
        element(
          'Refs',
          textElement('AcctSvcrRef', shortId(line.id), LENGTHS.id),
          line.paymentId === null ? '' : textElement('EndToEndId', shortId(line.paymentId), LENGTHS.id),
        ),
        amount(line.change),
        indicator(line.change),
        exchange(head, line, amount),
        parties(line),
        element('RmtInf', textElement('Ustrd', aboutOf(line, words), LENGTHS.text), textElement('Ustrd', line.reference, LENGTHS.text)),
        element('RltdDts', element('TxDtTm', line.local)),
        textElement('AddtlTxInf', more, LENGTHS.more),
      ),
    ),
    textElement('AddtlNtryInf', words.kinds[line.kind], LENGTHS.more),
  );
}

/** Who paid, or who was paid. */
const parties = (line: StatementLine): string =>
  element('RltdPties', element(line.change < 0n ? 'Cdtr' : 'Dbtr', element('Pty', textElement('Nm', partyOf(line), LENGTHS.name))));

/** Whether a rate is one of the format: eleven digits at most, and ten behind the dot. */
function isRate(text: string): boolean {
  const [whole = '', decimals = ''] = text.split('.');
  return decimals.length <= 10 && whole.length + decimals.length <= 11;
}

/** The rate of a payment that changed its currency, and what is to arrive. A currency that has no code has no place. */
function exchange(head: StatementHead, line: StatementLine, amount: (value: bigint) => string): string {
  const { exchanged, other } = line;
  if (exchanged === null || !suits('camt053', { assetCode: exchanged.assetCode, assetScale: 0 })) return '';
  const [own, foreign] = [head.assetCode, exchanged.assetCode];
  const rated = [
    { unit: own, rate: exchanged.rate },
    { unit: foreign, rate: exchanged.inverse },
  ].find(({ rate }) => isRate(rate));
  if (rated === undefined) return '';
  const [source, target] = line.change < 0n ? [own, foreign] : [foreign, own];
  const changed = element(
    'CcyXchg',
    element('SrcCcy', source),
    element('TrgtCcy', target),
    element('UnitCcy', rated.unit),
    element('XchgRate', rated.rate),
  );
  const arrives = other !== null && suits('camt053', other, other.value);
  const instructed = arrives ? element('InstdAmt', `<Amt Ccy="${other.assetCode}">${amountOf(other, other.value)}</Amt>`) : '';
  return element('AmtDtls', instructed, element('TxAmt', amount(line.change), changed));
}
