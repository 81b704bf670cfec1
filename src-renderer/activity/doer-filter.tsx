import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { messages } from '../../src-shared/words/console/messages.ts';
import { inertText } from '../../src-shared/words/inert-text.ts';
import { queries } from '../transport/operator-client.ts';

const words = messages.activity;
const { people } = messages;

interface DoerFilterProps {
  by: string | undefined;
  onFilter: (by: string | undefined) => void;
}

/**
 * Narrows the log to what one person, one key or one till did. Who works alone, without either, has nobody to choose.
 */
export function DoerFilter({ by, onFilter }: DoerFilterProps) {
  const { data } = useQuery(queries.activity.doers.queryOptions());
  if (data === undefined || (data.items.length < 2 && by === undefined)) return null;
  return (
    <Select
      aria-label={words.byLabel}
      placeholder={words.anybody}
      clearable
      value={by ?? null}
      onChange={(chosen) => onFilter(chosen ?? undefined)}
      data={data.items.map(({ kind, id, name }) => {
        const told = inertText(name === '' ? people.unnamed : name);
        const label = kind === 'key' ? people.keyOf({ name: told }) : kind === 'till' ? messages.tills.by({ name: told }) : told;
        return { value: id, label };
      })}
    />
  );
}
