import { Button, Group, Modal, Stack, Switch, Text, Title } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { DialogFoot } from '../../components/forms/dialog-foot.tsx';
import { Failure } from '../../components/page/failure.tsx';
import classes from '../settings.module.css';

interface LimitSectionProps {
  title: string;
  lead: string;
  error: Error | null;
  /** What stands between the lead and the lines. */
  note?: string | undefined;
  children: ReactNode;
}

/** A part of the card of people with one line for each limit. */
export function LimitSection({ title, lead, error, note, children }: LimitSectionProps) {
  return (
    <Stack gap="sm" component="section" aria-label={title} className={classes.schedule}>
      <Title order={3} className={classes.heading}>
        {title}
      </Title>
      <Text size="sm" c="dimmed">
        {lead}
      </Text>
      <Failure error={error} />
      {note !== undefined && (
        <Text size="sm" c="dimmed">
          {note}
        </Text>
      )}
      <ul className={classes.browsers}>{children}</ul>
    </Stack>
  );
}

interface LimitLineProps {
  /** The limit in a sentence. */
  text: string;
  /** What its dialog is called. */
  name: string;
  canChange?: boolean;
  dialog: (onClose: () => void) => ReactNode;
}

/** A limit in a sentence, with the button that changes it. */
export function LimitLine({ text, name, canChange = true, dialog }: LimitLineProps) {
  const [changing, setChanging] = useState(false);
  const { change } = messages.people;
  return (
    <li>
      <Group justify="space-between" gap="sm">
        <Text flex="1 1 12rem">{text}</Text>
        {canChange && (
          <Button size="xs" variant="default" aria-label={`${change}: ${name}`} onClick={() => setChanging(true)}>
            {change}
          </Button>
        )}
      </Group>
      {changing && dialog(() => setChanging(false))}
    </li>
  );
}

interface LimitDialogProps {
  title: string;
  /** Says what is switched on. */
  label: string;
  isOn: boolean;
  onSwitch: (isOn: boolean) => void;
  onSave: () => void;
  isSaving: boolean;
  error: Error | null;
  onClose: () => void;
  /** The amounts. They are there while it is on. */
  children: ReactNode;
}

/** Switches a limit on, with its amounts, or off. */
export function LimitDialog({ title, label, isOn, onSwitch, onSave, isSaving, error, onClose, children }: LimitDialogProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave();
  };
  return (
    <Modal opened onClose={onClose} title={title}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Switch label={label} checked={isOn} onChange={({ currentTarget }) => onSwitch(currentTarget.checked)} />
          {isOn && children}
          <DialogFoot error={error} busy={isSaving} action={messages.people.save} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
