import { Modal, PasswordInput, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { digitsOf, faultOfPin, PIN_DIGITS } from '../../../src-shared/people/pin-rules.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { DialogFoot } from '../../components/forms/dialog-foot.tsx';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';

const words = messages.ways.pin;

/** Sets or changes the PIN. Only this component holds what is typed. */
export function PinDialog({ title, onClose }: { title: string; onClose: () => void }) {
  const [pin, setPin] = useState('');
  const [again, setAgain] = useState('');
  const [tried, setTried] = useState(false);
  const report = useReporting();
  const onSuccess = async () => {
    onClose();
    await report.done(words.isSet, 'people');
  };
  const set = useMutation(queries.ways.setPin.mutationOptions({ onSuccess }));
  const fault = faultOfPin(pin);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (fault === undefined && again === pin) set.mutate({ pin });
  };
  const field = {
    ...({ inputMode: 'numeric', autoComplete: 'off', dir: 'ltr', required: true } as const),
    visibilityToggleButtonProps: { 'aria-label': messages.common.showPassword },
  };
  return (
    <Modal opened onClose={onClose} title={title} closeOnClickOutside={pin === ''}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <PasswordInput
            {...field}
            label={words.field}
            value={pin}
            onChange={(event) => setPin(digitsOf(event.currentTarget.value).slice(0, PIN_DIGITS))}
            error={(tried || pin.length === PIN_DIGITS) && fault !== undefined ? words.faults[fault] : undefined}
            data-autofocus
          />
          <PasswordInput
            {...field}
            label={words.again}
            value={again}
            onChange={(event) => setAgain(digitsOf(event.currentTarget.value).slice(0, PIN_DIGITS))}
            error={tried && again !== pin ? words.differ : undefined}
          />
          <DialogFoot error={set.error} busy={set.isPending} action={title} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
