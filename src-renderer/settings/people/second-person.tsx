import { useQuery } from '@tanstack/react-query';
import type { Asset } from '../../../src-shared/amounts.ts';
import type { SecondPersonLimit } from '../../../src-shared/operator-contract/console/second-person.ts';
import { PROTECTED, type Protected } from '../../../src-shared/people/protected.ts';
import { amountText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { queries } from '../../transport/operator-client.ts';
import { LimitLine, LimitSection } from './limit-parts.tsx';
import { SecondPersonDialog } from './second-person-dialog.tsx';

const words = messages.people.second;

/** The amounts above which a second person must confirm, in each currency of the accounts. */
export function SecondPerson() {
  const { data, error } = useQuery(queries.secondPerson.get.queryOptions());
  if (data?.currencies.length === 0) return null;
  return (
    <LimitSection title={words.title} lead={words.lead} error={error} note={data?.hasSecond === false ? words.nobody : undefined}>
      {data?.currencies.flatMap((asset) =>
        PROTECTED.map((what) => (
          <SecondPersonLine
            key={`${what}-${asset.assetCode}-${asset.assetScale}`}
            what={what}
            asset={asset}
            limits={data.limits}
            isOpen={data.hasSecond}
          />
        )),
      )}
    </LimitSection>
  );
}

interface LineProps {
  what: Protected;
  asset: Asset;
  limits: readonly SecondPersonLimit[];
  /** Whether there is somebody who could confirm. */
  isOpen: boolean;
}

/** The amount above which a second person must confirm, in a sentence. */
function SecondPersonLine({ what, asset, limits, isOpen }: LineProps) {
  const { assetCode: currency, assetScale } = asset;
  const limit = limits.find((one) => one.what === what && one.assetCode === currency && one.assetScale === assetScale);
  return (
    <LimitLine
      text={limit === undefined ? words.off[what]({ currency }) : words.on[what]({ amount: amountText({ value: limit.above, ...asset }) })}
      name={words.titleOf[what]({ currency })}
      canChange={isOpen || limit !== undefined}
      dialog={(onClose) => <SecondPersonDialog what={what} asset={asset} above={limit?.above} onClose={onClose} />}
    />
  );
}
