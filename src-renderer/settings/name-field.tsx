import { TextInput } from '@mantine/core';

interface NameFieldProps {
  words: { name: string; nameHint: string; nameNeeded: string };
  name: string;
  onName: (name: string) => void;
  /** Whether the form was sent already. Only then the field says that it needs a name. */
  tried: boolean;
}

/** The first field of a dialog: the name of a person, or of a key. */
export function NameField({ words, name, onName, tried }: NameFieldProps) {
  return (
    <TextInput
      label={words.name}
      description={words.nameHint}
      value={name}
      onChange={(event) => onName(event.currentTarget.value)}
      maxLength={60}
      error={tried && name.trim() === '' ? words.nameNeeded : undefined}
      required
      data-autofocus
    />
  );
}
