import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconLifebuoy } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { messages } from '../../src-shared/words/console/messages.ts';
import { saveFile } from '../components/forms/save-file.ts';
import { Card } from '../components/page/card.tsx';
import { Failure } from '../components/page/failure.tsx';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';

const words = messages.health.bundle;

/** Makes one file for a person who helps. The card says what the file will contain. */
export function BundleCard() {
  const [opened, { open, close }] = useDisclosure(false);
  const report = useReporting();
  const make = useMutation(
    queries.health.supportBundle.mutationOptions({
      onSuccess: async ({ name, text }) => {
        saveFile(name, 'application/json', [text]);
        close();
        await report.done(words.done, 'activity');
      },
    }),
  );
  return (
    <Card title={words.title}>
      <Stack gap="sm" align="flex-start">
        <Text>{words.words}</Text>
        <Button variant="default" leftSection={<IconLifebuoy size={18} aria-hidden />} onClick={open}>
          {words.make}
        </Button>
      </Stack>
      <Modal opened={opened} onClose={close} title={words.dialog}>
        <Stack gap="md">
          <List spacing="xs">
            {words.inside.map((item) => (
              <List.Item key={item}>{item}</List.Item>
            ))}
          </List>
          <Text fw={550}>{words.outside}</Text>
          <Text c="dimmed" size="sm">
            {words.readFirst}
          </Text>
          <Failure error={make.error} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close} data-autofocus>
              {messages.common.cancel}
            </Button>
            <Button loading={make.isPending} onClick={() => make.mutate({})}>
              {words.download}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </Card>
  );
}
