import { Radio, Stack } from '@mantine/core';
import { isRole, type Role } from '../../../src-shared/people/roles.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';

const words = messages.people;
/** The role that is given most often comes first. */
const OFFERED: readonly Role[] = ['cashier', 'accountant', 'manager', 'owner'];

/** Chooses a role. A sentence beside each says what it may do. */
export function RoleChoice({ role, onRole }: { role: Role; onRole: (role: Role) => void }) {
  return (
    <Radio.Group label={words.role} value={role} onChange={(chosen) => isRole(chosen) && onRole(chosen)}>
      <Stack gap="sm" mt="xs">
        {OFFERED.map((one) => (
          <Radio key={one} value={one} label={words.roles[one]} description={words.may[one]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
