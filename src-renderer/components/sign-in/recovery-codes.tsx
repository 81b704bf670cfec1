import { Button, Group, Stack, Text } from '@mantine/core';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { saveFile } from '../forms/save-file.ts';
import classes from './password-form.module.css';

const words = messages.ways.codes;

/** Shows recovery codes, which nothing shows again. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const save = () => saveFile(words.file, 'text/plain', [`${codes.join('\n')}\n`]);
  return (
    <Stack gap="md">
      <Text>{words.words}</Text>
      <ol className={classes.codes} data-testid="recovery-codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={save}>
          {words.save}
        </Button>
        <Button onClick={onDone}>{words.have}</Button>
      </Group>
    </Stack>
  );
}
