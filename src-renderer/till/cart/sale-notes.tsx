import { Button, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPencil } from '@tabler/icons-react';
import { messages } from '../../../src-shared/words/console/messages.ts';
import classes from './cart.module.css';

const words = messages.till;

/** What is said about a sale. */
export interface Notes {
  /** The customer reads it. */
  readonly description: string;
  /** The note that only the shop reads. */
  readonly note: string;
}

/** The fields in which a person says something about a sale. They are folded until somebody wants them. */
export function SaleNotes({ notes, onNotes }: { notes: Notes; onNotes: (notes: Notes) => void }) {
  const [isOpen, { open }] = useDisclosure(notes.description !== '' || notes.note !== '');
  if (!isOpen)
    return (
      <Button
        className={classes.fold}
        variant="subtle"
        size="compact-md"
        color="gray"
        leftSection={<IconPencil size={16} aria-hidden />}
        onClick={open}
      >
        {words.addNote}
      </Button>
    );
  const field = (name: keyof Notes, label: string, hint: string, isFirst: boolean) => (
    <TextInput
      aria-label={label}
      placeholder={label}
      description={hint}
      inputWrapperOrder={['input', 'description']}
      size="md"
      value={notes[name]}
      maxLength={500}
      autoFocus={isFirst}
      onChange={({ currentTarget }) => onNotes({ ...notes, [name]: currentTarget.value })}
    />
  );
  return (
    <Stack gap="xs">
      {field('description', words.purpose, words.purposeHint, true)}
      {field('note', words.privateNote, words.privateNoteHint, false)}
    </Stack>
  );
}
