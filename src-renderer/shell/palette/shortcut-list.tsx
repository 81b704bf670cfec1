import { Group, Kbd, Modal, Table } from '@mantine/core';
import { messages } from '../../../src-shared/words/console/messages.ts';

const words = messages.palette;

/** Lists all shortcuts and what they do. */
export function ShortcutList({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const onMac = navigator.userAgent.includes('Mac');
  return (
    <Modal opened={opened} onClose={onClose} title={words.shortcuts}>
      <Table verticalSpacing="xs" horizontalSpacing={0} withRowBorders={false}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{words.does}</Table.Th>
            <Table.Th scope="col">{words.keys}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {words.list.map(({ keys, mac, does }) => (
            <Table.Tr key={does}>
              <Table.Td pe="md">{does}</Table.Td>
              <Table.Td>
                <Group gap={6} wrap="nowrap">
                  {keyed(onMac ? mac : keys).map(({ id, key }) => (
                    <Kbd key={id}>{key}</Kbd>
                  ))}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}

/** One shortcut may have the same key twice. */
const keyed = (keys: readonly string[]) => keys.map((key, place) => ({ id: `${place} ${key}`, key }));
