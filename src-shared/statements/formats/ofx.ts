import {
  aboutOf,
  amountOf,
  partyOf,
  type StatementHead,
  type StatementKind,
  type StatementLine,
  type StatementWords,
  type StatementWriter,
  suits,
} from '../statement.ts';
import { shortId } from './camt053.ts';
import { element, textElement } from './xml.ts';

// OFX 2.1.1. The order of the elements is that of its document type.

const TYPES: Readonly<Record<StatementKind, string>> = {
  received: 'CREDIT',
  sent: 'DEBIT',
  refunded: 'DEBIT',
  returned: 'CREDIT',
  deposit: 'DEP',
  withdrawal: 'DEBIT',
};

const LENGTHS = { account: 22, name: 32, reference: 32, memo: 255 } as const;

/** A day as noon in Greenwich, which is the same day in nearly every time zone. */
const noon = (day: string): string => `${day.replaceAll('-', '')}120000.000[0:GMT]`;

const instant = (at: number): string => `${new Date(at).toISOString().replace(/[-:TZ]/g, '')}[0:GMT]`;

const FINE = element('STATUS', element('CODE', '0'), element('SEVERITY', 'INFO'));

/**
 * The statement as the answer of a bank. The id of each transaction (FITID) is that of the movement, and never changes.
 */
export function ofx(head: StatementHead, words: StatementWords): StatementWriter {
  return {
    begin: () =>
      [
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n',
        '<?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>\n',
        '<OFX>',
        element('SIGNONMSGSRSV1', element('SONRS', FINE, element('DTSERVER', instant(head.lastAt)), element('LANGUAGE', 'ENG'))),
        '<BANKMSGSRSV1><STMTTRNRS>',
        element('TRNUID', '0'),
        FINE,
        '<STMTRS>',
        textElement('CURDEF', head.assetCode, 3),
        element(
          'BANKACCTFROM',
          element('BANKID', 'PAYDESK'),
          textElement('ACCTID', shortId(head.accountId), LENGTHS.account),
          element('ACCTTYPE', 'CHECKING'),
        ),
        '<BANKTRANLIST>',
        element('DTSTART', noon(head.from)),
        element('DTEND', noon(head.to)),
        '\n',
      ].join(''),
    line: (line) => `${transaction(head, line, words)}\n`,
    end: () =>
      [
        '</BANKTRANLIST>',
        element('LEDGERBAL', element('BALAMT', amountOf(head, head.closing)), element('DTASOF', noon(head.to))),
        '</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n',
      ].join(''),
  };
}

function transaction(head: StatementHead, line: StatementLine, words: StatementWords): string {
  const memo = [aboutOf(line, words), line.reference, line.note].filter((text) => text !== null && text !== '').join(' / ');
  return element(
    'STMTTRN',
    element('TRNTYPE', TYPES[line.kind]),
    element('DTPOSTED', noon(line.day)),
    element('TRNAMT', amountOf(head, line.change)),
    textElement('FITID', line.id, LENGTHS.memo),
    textElement('REFNUM', line.reference, LENGTHS.reference),
    textElement('NAME', partyOf(line) ?? words.kinds[line.kind], LENGTHS.name),
    textElement('MEMO', memo, LENGTHS.memo),
    exchange(line),
  );
}

/** The rate of a payment that changed its currency: what one unit of the other one is in that of the account. */
const exchange = ({ exchanged }: StatementLine): string =>
  exchanged === null || !suits('ofx', { assetCode: exchanged.assetCode, assetScale: 0 })
    ? ''
    : element('ORIGCURRENCY', element('CURRATE', exchanged.inverse), element('CURSYM', exchanged.assetCode));
