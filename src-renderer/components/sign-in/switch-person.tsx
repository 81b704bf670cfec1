import { ActionIcon } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { useSwitchPerson } from './use-switch-person.tsx';

const words = messages.ways.takeOver;

/** The button that hands the browser over. @param props.size of the icon's button, in pixels or as Mantine names it */
export function SwitchPerson({ size = 'lg' }: { size?: number | 'lg' }) {
  const { isOffered, isBusy, start, question } = useSwitchPerson();
  if (!isOffered) return null;
  return (
    <>
      <ActionIcon variant="subtle" color="gray" size={size} aria-label={words.switch} title={words.switch} loading={isBusy} onClick={start}>
        <IconUsers size={size === 'lg' ? 20 : 24} stroke={1.7} aria-hidden />
      </ActionIcon>
      {question}
    </>
  );
}
