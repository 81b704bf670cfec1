import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Fragment, type ReactNode } from 'react';
import { type Asset, assetKey } from '../../src-shared/amounts.ts';
import type {
  ClosingAccount,
  ClosingFigures,
  ClosingPart,
  ClosingSource,
  ClosingTax,
  Reason,
} from '../../src-shared/operator-contract/shop/closings.ts';
import { signedText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { paymentReasonText, refundReasonText } from '../../src-shared/words/sales/reason-text.ts';
import { sellerText, sellerTexts } from '../../src-shared/words/sales/seller-text.ts';
import { taxRateText } from '../../src-shared/words/sales/tax-rate-text.ts';
import { InertText } from '../components/text/inert-text.tsx';
import { Money } from '../components/text/money.tsx';
import classes from './paper.module.css';

const words = messages.closings;

interface FiguresProps {
  figures: ClosingFigures;
  /** What stands behind the accounts in the figures: further ones, or how many there are. */
  further: ReactNode;
}

/** The figures of a closing as a paper has them: tables of names and amounts. */
export function Figures({ figures, further }: FiguresProps) {
  const { accounts, sources, people, taxes = [], tips = [], refundsAreSplit = false } = figures;
  const names = personNames(people);
  return (
    <>
      {accounts.length === 0 && <Text c="dimmed">{words.nothing}</Text>}
      <Accounts accounts={accounts} />
      {further}
      {sources.length > 0 && <Text c="dimmed">{words.sameMoney}</Text>}
      <Lines title={words.madeBy}>
        {sources.map((source) => (
          <Part key={`${assetKey(source)} ${source.madeBy} ${source.app} ${source.till?.id}`} part={source} name={sourceName(source)} />
        ))}
      </Lines>
      <Lines title={words.people}>
        {people.map((person, nth) => (
          <Part key={`${assetKey(person)} ${person.kind} ${person.id} ${person.name}`} part={person} name={names[nth] ?? ''} />
        ))}
      </Lines>
      <Lines title={refundsAreSplit ? words.taxesByRate : words.taxes}>
        {taxes.map((tax) => (
          <Tax key={`${assetKey(tax)} ${tax.rate} ${tax.name}`} tax={tax} />
        ))}
      </Lines>
      <Lines title={words.tips}>
        {tips.map(({ refunded = 0n, ...tip }) => (
          <Fragment key={assetKey(tip)}>
            <Line name={tip.assetCode} asset={tip} value={tip.value} />
            {refunded !== 0n && <Line name={words.tipRefunded} asset={tip} value={-refunded} />}
            {refunded !== 0n && <Line name={words.tipLeft} asset={tip} value={tip.value - refunded} strong />}
          </Fragment>
        ))}
      </Lines>
      <Failures figures={figures} />
    </>
  );
}

/** What failed, and why. */
function Failures({ figures }: { figures: ClosingFigures }) {
  const { failures, failureReasons = [], refundFailures = 0, refundFailureReasons = [] } = figures;
  return (
    <>
      {failures > 0 && <Why title={words.failures({ count: failures })} reasons={failureReasons} text={paymentReasonText} />}
      {refundFailures > 0 && (
        <Why title={words.refundFailures({ count: refundFailures })} reasons={refundFailureReasons} text={refundReasonText} />
      )}
    </>
  );
}

interface WhyProps {
  title: string;
  reasons: readonly Reason[];
  text: (reason: string | null) => string;
}

/** The reasons in a table. Closings of earlier versions have a count without reasons. */
function Why({ title, reasons, text }: WhyProps) {
  if (reasons.length === 0) return <Text>{title}</Text>;
  return (
    <table className={classes.lines}>
      <caption>{title}</caption>
      <tbody>
        {reasons.map(({ reason, count }) => (
          <tr key={String(reason)}>
            <th scope="row">{text(reason)}</th>
            <td>{words.times({ count })}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A place or a person: what they brought, what refunds gave back of it, and the tips and the tax in both. */
function Part({ part, name }: { part: ClosingPart; name: string }) {
  const { refunded, refundedCount } = part;
  return (
    <>
      <Line name={<InertText text={name} expands={false} />} count={part.count} asset={part} value={part.value} />
      <ReceivedParts of={part} />
      {refunded !== undefined && <Line name={words.refunds} count={refundedCount} asset={part} value={-refunded} isPart />}
      <RefundedParts of={part} />
    </>
  );
}

/** An account, a place or a person. */
type Selling = Pick<ClosingPart, 'tip' | 'refundedTip' | 'taxes'> & Asset;

/** The tips and the tax in what was received. They stand below the line of that. */
function ReceivedParts({ of }: { of: Selling }) {
  const { tip, taxes = [] } = of;
  // A refund of an earlier day's sale has a rate of which nothing came.
  const received = taxes.filter(({ net, tax }) => net !== 0n || tax !== 0n);
  return (
    <>
      {tip !== undefined && <Line name={words.ofThisTips} asset={of} value={tip} isPart />}
      {received.map(({ name, rate, net, tax }) => (
        <Line
          key={`${rate} ${name}`}
          name={words.ofThisTax({ name, rate: taxRateText(rate), net: signedText({ ...of, value: net }) })}
          asset={of}
          value={tax}
          isPart
        />
      ))}
    </>
  );
}

/** The tips and the tax in what refunds gave back. */
function RefundedParts({ of }: { of: Selling }) {
  const { refundedTip, taxes = [] } = of;
  const refunded = taxes.filter(({ refundedNet = 0n, refundedTax = 0n }) => refundedNet !== 0n || refundedTax !== 0n);
  return (
    <>
      {refundedTip !== undefined && <Line name={words.ofRefundsTips} asset={of} value={-refundedTip} isPart />}
      {refunded.map(({ name, rate, refundedNet = 0n, refundedTax = 0n }) => (
        <Line
          key={`${rate} ${name}`}
          name={words.ofRefundsTax({ name, rate: taxRateText(rate), net: signedText({ ...of, value: -refundedNet }) })}
          asset={of}
          value={-refundedTax}
          isPart
        />
      ))}
    </>
  );
}

/** The tax of a rate: what was received, what refunds gave back of it, and what is left. */
function Tax({ tax }: { tax: ClosingTax }) {
  const { name, rate, net, refundedNet = 0n, refundedTax = 0n } = tax;
  const on = (value: bigint) => signedText({ ...tax, value });
  const isRefunded = refundedNet !== 0n || refundedTax !== 0n;
  return (
    <>
      <Line name={words.tax({ name, rate: taxRateText(rate), net: on(net) })} asset={tax} value={tax.tax} />
      {isRefunded && <Line name={words.taxRefunded({ net: on(-refundedNet) })} asset={tax} value={-refundedTax} />}
      {isRefunded && <Line name={words.taxLeft({ net: on(net - refundedNet) })} asset={tax} value={tax.tax - refundedTax} strong />}
    </>
  );
}

/** A table for each account. */
export function Accounts({ accounts }: { accounts: readonly ClosingAccount[] }) {
  return accounts.map((account) => <Account key={account.id} account={account} />);
}

function Account({ account }: { account: ClosingAccount }) {
  const { publicName, assetCode, sales, salesCount, refunds, refundsCount, sent, books } = account;
  const line = (name: string, value: bigint, count?: number) => <Line name={name} asset={account} value={value} count={count} />;
  return (
    <>
      <Lines title={<InertText text={`${publicName} · ${assetCode}`} expands={false} />} always>
        {books !== null && line(words.opening, books.opening)}
        {line(words.sales, sales, salesCount)}
        <ReceivedParts of={account} />
        {refunds > 0n && line(words.refunds, -refunds, refundsCount)}
        <RefundedParts of={account} />
        {sent > 0n && line(words.sent, -sent)}
        {books !== null && books.deposits > 0n && line(words.deposits, books.deposits)}
        {books !== null && books.withdrawals > 0n && line(words.withdrawals, -books.withdrawals)}
        {books !== null && <Line name={words.closing} asset={account} value={books.closing} strong />}
      </Lines>
      {books !== null && books.difference !== 0n && (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />}>
          {words.difference({ amount: signedText({ ...account, value: books.difference }) })}
        </Alert>
      )}
    </>
  );
}

interface LinesProps {
  title: ReactNode;
  /** Whether it is there without lines, too. */
  always?: boolean;
  children: ReactNode;
}

function Lines({ title, always = false, children }: LinesProps) {
  if (!always && Array.isArray(children) && children.length === 0) return null;
  return (
    <table className={classes.lines}>
      <caption>{title}</caption>
      <tbody>{children}</tbody>
    </table>
  );
}

interface LineProps {
  name: ReactNode;
  count?: number | undefined;
  asset: Asset;
  value: bigint;
  strong?: boolean;
  /** Whether it is a part of a line above. */
  isPart?: boolean;
}

const Line = ({ name, count, asset, value, strong, isPart }: LineProps) => (
  <tr data-strong={strong} data-part={isPart}>
    <th scope="row">{name}</th>
    <td>{count === undefined ? '' : words.times({ count })}</td>
    <td>
      <Money text={signedText({ assetCode: asset.assetCode, assetScale: asset.assetScale, value })} />
    </td>
  </tr>
);

// The words are read where they are shown: other screens load this file before the words.
function sourceName({ madeBy, app, till }: ClosingSource): string {
  if (app !== null) return app.replace(/^https?:\/\//, '');
  if (till !== undefined) return till === null ? words.otherTills : sellerText({ kind: 'till', name: till.name });
  if (madeBy === 'app') return words.otherApps;
  return madeBy === 'till' ? words.till : words.desk;
}

function personNames(people: ClosingFigures['people']): string[] {
  const names = sellerTexts(people.map(({ kind = 'person', id = '', name }) => ({ kind: kind === 'others' ? 'person' : kind, id, name })));
  return people.map(({ kind }, nth) => (kind === 'others' ? messages.reports.kinds.others : (names[nth] ?? '')));
}
