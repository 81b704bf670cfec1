import { Checkbox, Stack } from '@mantine/core';
import { groupsFor, isKeyGroup, type KeyGroup, type KeyRole } from '../../../src-shared/people/key-groups.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import classes from './api-keys.module.css';

const words = messages.apiKeys;

interface GroupsFieldProps {
  role: KeyRole;
  /** Whether the key is for some accounts only. Some groups cannot be for one. */
  ofAccounts: boolean;
  /** What was chosen; null for all that the role may do. */
  groups: readonly KeyGroup[] | null;
  onGroups: (groups: KeyGroup[] | null) => void;
  /** Whether the form was sent already. Only then the field says that something is missing. */
  tried: boolean;
}

/** Chooses a part of what the role may do. */
export function GroupsField({ role, ofAccounts, groups, onGroups, tried }: GroupsFieldProps) {
  const offered = groupsFor(role, ofAccounts);
  const chosen = offered.filter((group) => groups?.includes(group));
  return (
    <Stack gap="sm">
      <Checkbox
        label={words.some}
        description={words.someHint}
        checked={groups !== null}
        onChange={({ currentTarget }) => onGroups(currentTarget.checked ? [] : null)}
      />
      {groups !== null && (
        <Checkbox.Group
          aria-label={words.role}
          value={chosen}
          onChange={(all) => onGroups(all.filter(isKeyGroup))}
          error={tried && chosen.length === 0 ? words.groupsNeeded : undefined}
          className={classes.part}
        >
          <Stack gap="xs">
            {offered.map((group) => (
              <Checkbox key={group} value={group} label={words.groups[group]} classNames={{ label: classes.phrase ?? '' }} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </Stack>
  );
}
