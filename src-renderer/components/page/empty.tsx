import { Box, Stack, Text, ThemeIcon } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface EmptyProps {
  icon: TablerIcon;
  title: string;
  advice: string;
  action?: ReactNode;
}

/** Stands for a list without rows. It says why, and what leads to the first row. */
export function Empty({ icon: Icon, title, advice, action }: EmptyProps) {
  return (
    <Stack align="center" gap="xs" py={48} px="lg">
      <ThemeIcon variant="light" size={48} radius="xl" aria-hidden>
        <Icon size={24} />
      </ThemeIcon>
      <Text fw={600} mt="xs" ta="center">
        {title}
      </Text>
      <Text c="dimmed" ta="center" maw="46ch">
        {advice}
      </Text>
      {action !== undefined && <Box mt="sm">{action}</Box>}
    </Stack>
  );
}
