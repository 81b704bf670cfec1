/** An element of a sequence: its name, its type, and whether it may be left out (`?`) or comes several times (`*`). */
const part = (text: string): string => {
  const [, name, type, times = ''] = /^(\w+):(\w+)([?*]?)$/.exec(text) ?? [];
  const occurs = { '': '', '?': ' minOccurs="0"', '*': ' minOccurs="0" maxOccurs="unbounded"' }[times];
  return `<xs:element name="${name}" type="${type}"${occurs}/>`;
};
const sequence = (name: string, ...parts: string[]): string =>
  `<xs:complexType name="${name}"><xs:sequence>${parts.map(part).join('')}</xs:sequence></xs:complexType>`;
const choice = (name: string, ...parts: string[]): string =>
  `<xs:complexType name="${name}"><xs:choice>${parts.map(part).join('')}</xs:choice></xs:complexType>`;
const simple = (name: string, base: string, facets: string): string =>
  `<xs:simpleType name="${name}"><xs:restriction base="xs:${base}">${facets}</xs:restriction></xs:simpleType>`;
const text = (most: number): string => simple(`Max${most}Text`, 'string', `<xs:minLength value="1"/><xs:maxLength value="${most}"/>`);
const money = '<xs:fractionDigits value="5"/><xs:totalDigits value="18"/><xs:minInclusive value="0"/>';

/**
 * The elements of camt.053.001.08 that statements use, written down from the message definition of ISO 20022: their
 * names, their order, how often they may come, and how long texts and amounts may be. It is stricter than the whole
 * schema, because it knows no other elements.
 */
export const CAMT053_SCHEMA = [
  '<?xml version="1.0" encoding="UTF-8"?>',
  '<xs:schema xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08" xmlns:xs="http://www.w3.org/2001/XMLSchema"',
  ' elementFormDefault="qualified" targetNamespace="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">',
  '<xs:element name="Document" type="Document"/>',
  sequence('Document', 'BkToCstmrStmt:Message'),
  sequence('Message', 'GrpHdr:GroupHeader', 'Stmt:Statement'),
  sequence('GroupHeader', 'MsgId:Max35Text', 'CreDtTm:DateTime'),
  sequence(
    'Statement',
    ...['Id:Max35Text', 'CreDtTm:DateTime?', 'FrToDt:Period?', 'Acct:Account', 'Bal:Balance*', 'TxsSummry:Totals?', 'Ntry:Entry*'],
  ),
  sequence('Period', 'FrDtTm:DateTime', 'ToDtTm:DateTime'),
  sequence('Account', 'Id:AccountId', 'Ccy:Currency?', 'Nm:Max70Text?', 'Svcr:Servicer?'),
  sequence('Servicer', 'FinInstnId:Institution'),
  sequence('Institution', 'Othr:OtherInstitution?'),
  sequence('OtherInstitution', 'Id:Max35Text'),
  choice('AccountId', 'Othr:OtherId'),
  sequence('OtherId', 'Id:Max34Text'),
  sequence('Balance', 'Tp:BalanceType', 'Amt:Amount', 'CdtDbtInd:Indicator', 'Dt:DateChoice'),
  sequence('BalanceType', 'CdOrPrtry:BalanceCode'),
  choice('BalanceCode', 'Cd:BalanceName'),
  simple('BalanceName', 'string', ['OPBD', 'CLBD', 'ITBD'].map((code) => `<xs:enumeration value="${code}"/>`).join('')),
  choice('DateChoice', 'Dt:Date', 'DtTm:DateTime'),
  sequence('Totals', 'TtlNtries:AllTotal?', 'TtlCdtNtries:Total?', 'TtlDbtNtries:Total?'),
  sequence('AllTotal', 'NbOfNtries:Count?', 'Sum:Decimal?', 'TtlNetNtry:Net?'),
  sequence('Total', 'NbOfNtries:Count?', 'Sum:Decimal?'),
  sequence('Net', 'Amt:Positive', 'CdtDbtInd:Indicator'),
  sequence(
    'Entry',
    ...['NtryRef:Max35Text?', 'Amt:Amount', 'CdtDbtInd:Indicator', 'Sts:Status', 'BookgDt:DateChoice?', 'ValDt:DateChoice?'],
    ...['AcctSvcrRef:Max35Text?', 'BkTxCd:Codes', 'NtryDtls:Details*', 'AddtlNtryInf:Max500Text?'],
  ),
  choice('Status', 'Cd:Code'),
  sequence('Codes', 'Domn:Domain?'),
  sequence('Domain', 'Cd:Code', 'Fmly:Family'),
  sequence('Family', 'Cd:Code', 'SubFmlyCd:Code'),
  sequence('Details', 'TxDtls:Transaction*'),
  sequence(
    'Transaction',
    ...['Refs:References?', 'Amt:Amount?', 'CdtDbtInd:Indicator?', 'AmtDtls:Amounts?', 'RltdPties:Parties?', 'RmtInf:Remittance?'],
    ...['RltdDts:Dates?', 'AddtlTxInf:Max500Text?'],
  ),
  sequence('Amounts', 'InstdAmt:Exchanged?', 'TxAmt:Exchanged?'),
  sequence('Exchanged', 'Amt:Amount', 'CcyXchg:Exchange?'),
  sequence('Exchange', 'SrcCcy:Currency', 'TrgtCcy:Currency?', 'UnitCcy:Currency?', 'XchgRate:Rate'),
  sequence('References', 'AcctSvcrRef:Max35Text?', 'EndToEndId:Max35Text?'),
  sequence('Parties', 'Dbtr:Party?', 'Cdtr:Party?'),
  choice('Party', 'Pty:Named'),
  sequence('Named', 'Nm:Max140Text?'),
  sequence('Remittance', 'Ustrd:Max140Text*'),
  sequence('Dates', 'TxDtTm:DateTime?'),
  simple('Code', 'string', '<xs:minLength value="1"/><xs:maxLength value="4"/>'),
  simple('Count', 'string', '<xs:pattern value="[0-9]{1,15}"/>'),
  simple('Currency', 'string', '<xs:pattern value="[A-Z]{3,3}"/>'),
  simple('Date', 'date', ''),
  simple('DateTime', 'dateTime', ''),
  simple('Decimal', 'decimal', '<xs:fractionDigits value="17"/><xs:totalDigits value="18"/>'),
  simple('Positive', 'decimal', '<xs:fractionDigits value="17"/><xs:totalDigits value="18"/><xs:minInclusive value="0"/>'),
  simple('Indicator', 'string', '<xs:enumeration value="CRDT"/><xs:enumeration value="DBIT"/>'),
  simple('Rate', 'decimal', '<xs:fractionDigits value="10"/><xs:totalDigits value="11"/>'),
  simple('AmountValue', 'decimal', money),
  '<xs:complexType name="Amount"><xs:simpleContent><xs:extension base="AmountValue">',
  '<xs:attribute name="Ccy" type="Currency" use="required"/></xs:extension></xs:simpleContent></xs:complexType>',
  ...[34, 35, 70, 140, 500].map(text),
  '</xs:schema>',
].join('');
