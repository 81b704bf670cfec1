import { useQuery } from '@tanstack/react-query';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Facts } from '../components/text/facts.tsx';
import { queries } from '../transport/operator-client.ts';
import classes from './paper.module.css';

interface PaperHeadProps {
  title: string;
  facts: readonly (readonly [name: string, value: string])[];
}

/** Whose paper it is, which one, and of what time. */
export function PaperHead({ title, facts }: PaperHeadProps) {
  const shop = useQuery(queries.shop.get.queryOptions());
  const { name = '', address = [], taxNumber = '' } = shop.data?.profile ?? {};
  return (
    <header className={classes.head}>
      {name !== '' && (
        <div>
          <strong>
            <bdi>{name}</bdi>
          </strong>
          {address.map((line) => (
            <div key={line}>
              <bdi>{line}</bdi>
            </div>
          ))}
          {taxNumber !== '' && <div>{messages.closings.taxNumber({ number: taxNumber })}</div>}
        </div>
      )}
      <h2>{title}</h2>
      <Facts facts={facts} />
    </header>
  );
}
