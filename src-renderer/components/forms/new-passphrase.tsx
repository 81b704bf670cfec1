import { PasswordInput } from '@mantine/core';
import { useState } from 'react';

/** The longest passphrase that the node takes. */
const LONGEST = 1024;

/** A new passphrase, typed twice. */
interface NewPassphrase {
  readonly passphrase: string;
  readonly again: string;
  readonly set: (passphrase: string) => void;
  readonly setAgain: (again: string) => void;
  readonly tooShort: boolean;
  readonly differs: boolean;
}

/** @param shortest how many characters the passphrase must have at least */
export function useNewPassphrase(shortest: number): NewPassphrase {
  const [passphrase, set] = useState('');
  const [again, setAgain] = useState('');
  return { passphrase, again, set, setAgain, tooShort: passphrase.length < shortest, differs: again !== passphrase };
}

interface NewPassphraseInputsProps {
  value: NewPassphrase;
  /** Whether the operator has tried to send it. From then on the fields say what is wrong. */
  tried: boolean;
  'data-autofocus'?: boolean | undefined;
  words: { readonly label: string; readonly hint: string; readonly again: string; readonly tooShort: string; readonly differ: string };
}

/** The two fields of a new passphrase. When the second text is as long as the first and differs, its field says so. */
export function NewPassphraseInputs({ value, tried, words, ...rest }: NewPassphraseInputsProps) {
  const { passphrase, again, set, setAgain, tooShort, differs } = value;
  const isTyped = again !== '' && again.length >= passphrase.length;
  return (
    <>
      <PasswordInput
        {...rest}
        label={words.label}
        description={words.hint}
        value={passphrase}
        onChange={(event) => set(event.currentTarget.value)}
        error={tried && tooShort ? words.tooShort : undefined}
        maxLength={LONGEST}
        autoComplete="new-password"
        required
      />
      <PasswordInput
        label={words.again}
        value={again}
        onChange={(event) => setAgain(event.currentTarget.value)}
        error={differs && (tried || isTyped) ? words.differ : undefined}
        maxLength={LONGEST}
        autoComplete="new-password"
        required
      />
    </>
  );
}
