import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { ShopProfile } from '../../../src-shared/operator-contract/shop/shop.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { clockText } from '../../../src-shared/words/date-text.ts';
import { taxRateText } from '../../../src-shared/words/sales/tax-rate-text.ts';
import { Card } from '../../components/page/card.tsx';
import { Failure } from '../../components/page/failure.tsx';
import { Loaded } from '../../components/page/loaded.tsx';
import { Facts } from '../../components/text/facts.tsx';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { useMayCall } from '../../transport/you.ts';
import { TimeZoneField } from '../time-zone-field.tsx';
import { DayFields } from './day-fields.tsx';
import { LogoField } from './logo-field.tsx';
import { NameFields } from './name-fields.tsx';
import { ReceiptNote } from './receipt-note.tsx';
import classes from './shop.module.css';
import { draftOf, profileOf, type ShopDraft } from './shop-draft.ts';
import { TaxFields } from './tax-fields.tsx';

const words = messages.shop;

/** What the shop says of itself, and by which rules it counts. */
export function ShopCard() {
  const shop = useQuery(queries.shop.get.queryOptions());
  const mayChange = useMayCall('shop.set');
  return (
    <Card title={words.title}>
      <Loaded query={shop} skeleton={<Skeleton height={240} />}>
        {({ profile, logo, logoDots }) =>
          mayChange ? (
            <Stack gap="lg">
              <Text c="dimmed">{words.lead}</Text>
              <LogoField logo={logo} dots={logoDots} />
              <ShopForm key={JSON.stringify(profile)} profile={profile} />
              <TimeZoneField />
              <ReceiptNote />
            </Stack>
          ) : (
            <ShopFacts profile={profile} />
          )
        }
      </Loaded>
    </Card>
  );
}

/** The shop for those who may not change it. */
function ShopFacts({ profile }: { profile: ShopProfile }) {
  const { name, address, taxNumber, dayEndsAt, homeCurrency, taxRates } = profile;
  return (
    <Stack gap="md">
      <Text c="dimmed">{words.readOnly}</Text>
      <Facts
        facts={[
          [words.name, name || null],
          [words.address, address.join(', ') || null],
          [words.taxNumber, taxNumber || null],
          [words.dayEnds, clockText(dayEndsAt)],
          [words.homeCurrency, homeCurrency],
          [words.tax.title, taxRates.map((rate) => `${rate.name} ${taxRateText(rate.rate)}`).join(', ') || null],
        ]}
      />
    </Stack>
  );
}

function ShopForm({ profile }: { profile: ShopProfile }) {
  const report = useReporting();
  const [draft, setDraft] = useState<ShopDraft>(() => draftOf(profile));
  const [tried, setTried] = useState(false);
  const save = useMutation(
    queries.shop.set.mutationOptions({ onSuccess: () => report.done(words.saved, 'settings', 'node'), onError: report.failed }),
  );
  const change = (next: Partial<ShopDraft>) => setDraft((before) => ({ ...before, ...next }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    const typed = profileOf(draft);
    if (typed !== undefined) save.mutate(typed);
  };
  const parts = { draft, onChange: change, tried };
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <Stack gap="lg">
        <NameFields {...parts} />
        <DayFields {...parts} />
        <TaxFields {...parts} />
        <Failure error={save.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={save.isPending}>
            {words.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
