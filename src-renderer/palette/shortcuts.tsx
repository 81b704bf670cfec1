import { Group, Kbd, Modal, Table } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { messages } from '../messages.ts';
import { Palette } from './palette.tsx';

const words = messages.palette;
const GO = { o: '/', g: '/get-paid', p: '/payments', a: '/approvals' } as const;
const isGoKey = (key: string): key is keyof typeof GO => Object.hasOwn(GO, key);
/** How long after G the second key counts. */
const SECOND_KEY_MS = 1_500;

/** The palette, the list of shortcuts, and the shortcuts themselves. None of them acts while something is being typed. */
export function Shortcuts() {
  const [opened, { open, close }] = useDisclosure(false);
  useHotkeys([
    ['shift+?', open],
    ['?', open],
  ]);
  useGoKeys();
  const onMac = navigator.userAgent.includes('Mac');
  return (
    <>
      <Palette onShowShortcuts={open} />
      <Modal opened={opened} onClose={close} title={words.shortcuts}>
        <Table verticalSpacing="xs" withRowBorders={false}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{words.does}</Table.Th>
              <Table.Th scope="col">{words.keys}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {words.list.map(({ keys, mac, does }) => (
              <Table.Tr key={does}>
                <Table.Td>{does}</Table.Td>
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
    </>
  );
}

/** One shortcut may have the same key twice. */
const keyed = (keys: readonly string[]) => keys.map((key, place) => ({ id: `${place} ${key}`, key }));

/** G and then a letter goes to a screen. */
function useGoKeys(): void {
  const navigate = useNavigate();
  const pressedAt = useRef(0);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, altKey } = event;
      const typing = target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
      if (typing || ctrlKey || metaKey || altKey) return;
      const isSecond = event.timeStamp - pressedAt.current < SECOND_KEY_MS;
      pressedAt.current = key === 'g' && !isSecond ? event.timeStamp : 0;
      if (isSecond && isGoKey(key)) void navigate({ to: GO[key] });
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [navigate]);
}
