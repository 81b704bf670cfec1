import { useQuery } from '@tanstack/react-query';
import type { Ref } from 'react';
import type { Receipt } from '../../src-shared/operator-contract/shop/receipts.ts';
import type { Paper } from '../../src-shared/receipts/papers.ts';
import { inertText } from '../../src-shared/words/inert-text.ts';
import { printedReceipt, receiptWords as words } from '../../src-shared/words/sales/receipt-text.ts';
import { QrCode } from '../components/text/qr-code.tsx';
import { queries } from '../transport/operator-client.ts';
import classes from './receipt.module.css';

interface ReceiptPaperProps {
  content: NonNullable<Receipt['content']>;
  link: string;
  paper: Paper;
  isCopy: boolean;
  ref: Ref<HTMLElement>;
}

/** A receipt as it is printed, as wide as its paper. */
export function ReceiptPaper({ content, link, paper, isCopy, ref }: ReceiptPaperProps) {
  const { shop } = content;
  const { title, facts, rows } = printedReceipt(content);
  return (
    <article ref={ref} className={classes.paper} data-paper={paper} aria-label={title}>
      <header>
        <Logo hash={shop.logo} />
        <strong className={classes.shop}>
          <bdi>{inertText(shop.name)}</bdi>
        </strong>
        {[...shop.address.entries()].map(([place, line]) => (
          <div key={place}>
            <bdi>{inertText(line)}</bdi>
          </div>
        ))}
        {shop.taxNumber !== '' && <div>{words.taxNumber({ number: shop.taxNumber })}</div>}
      </header>
      <div className={classes.head}>
        <h2>{title}</h2>
        {isCopy && <span className={classes.copy}>{words.copy}</span>}
      </div>
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{inertText(value)}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <table className={classes.sums} aria-label={title}>
        <tbody>
          {[...rows.entries()].map(([place, { kind, text, detail, amount }]) => (
            <tr key={place} data-kind={kind}>
              <th scope="row">
                <bdi>{inertText(text)}</bdi>
                {detail !== undefined && <div>{detail}</div>}
              </th>
              <td>
                <bdi>{amount}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {shop.closingLine !== '' && (
        <p className={classes.closing}>
          <bdi>{inertText(shop.closingLine)}</bdi>
        </p>
      )}
      <div className={classes.code}>
        <QrCode text={link} look={classes.qr} label={words.codeLabel} />
        <p>{words.scan}</p>
      </div>
    </article>
  );
}

/** The logo of the shop, as long as it is still that of the receipt. Its name is that of the shop, below it. */
function Logo({ hash }: { hash: string | null }) {
  const { data } = useQuery(queries.shop.get.queryOptions());
  return data?.logo && data.logoHash === hash ? <img src={data.logo} alt="" className={classes.logo} /> : null;
}
