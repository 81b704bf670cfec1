import { Anchor, Button, Center, Modal, Stack, Text } from '@mantine/core';
import { IconReceipt } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { messages } from '../../src-shared/words/console/messages.ts';
import { QrCode } from '../components/text/qr-code.tsx';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';

const words = messages.tills;

/**
 * Hands over the receipt of a sale by a code: a device at the counter shows no page of the console.
 */
export function PairedReceipt({ id }: { id: string }) {
  const report = useReporting();
  const issue = useMutation(queries.receipts.issue.mutationOptions({ onError: report.failed }));
  const link = issue.data?.link;
  return (
    <>
      <Button
        variant="default"
        size="lg"
        leftSection={<IconReceipt size={18} aria-hidden />}
        loading={issue.isPending}
        onClick={() => issue.mutate({ kind: 'sale', id })}
      >
        {words.receipt}
      </Button>
      <Modal opened={link !== undefined} onClose={issue.reset} title={words.receiptTitle}>
        {link !== undefined && (
          <Stack gap="md" align="center">
            <Center>
              <QrCode text={link} label={words.receiptWords} />
            </Center>
            <Text ta="center">{words.receiptWords}</Text>
            <Anchor href={link} target="_blank" rel="noreferrer">
              {words.receiptOpen}
            </Anchor>
          </Stack>
        )}
      </Modal>
    </>
  );
}
