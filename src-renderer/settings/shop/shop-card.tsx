import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { ShopProfile } from '../../../src-shared/operator-contract/shop/shop.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { Card } from '../../components/page/card.tsx';
import { Failure } from '../../components/page/failure.tsx';
import { Loaded } from '../../components/page/loaded.tsx';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { useMayCall } from '../../transport/you.ts';
import { TimeZoneField } from '../time-zone-field.tsx';
import { DayFields } from './day-fields.tsx';
import { LogoField } from './logo-field.tsx';
import { NameFields } from './name-fields.tsx';
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
        {({ profile, logo }) => (
          <fieldset className={classes.group} disabled={!mayChange}>
            <Stack gap="lg">
              <Text c="dimmed">{mayChange ? words.lead : words.readOnly}</Text>
              <LogoField logo={logo} />
              <ShopForm key={JSON.stringify(profile)} profile={profile} />
              {mayChange && <TimeZoneField />}
            </Stack>
          </fieldset>
        )}
      </Loaded>
    </Card>
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
