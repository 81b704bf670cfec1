import { Code, List, Stack, Text } from '@mantine/core';
import { Card } from '../components/card.tsx';
import { Copy } from '../components/copy.tsx';
import { messages } from '../messages.ts';
import classes from './settings.module.css';

const words = messages.settings.restore;

/** How a backup is put back: in a terminal, because no node may run meanwhile. */
export function RestoreCard() {
  return (
    <Card title={words.title}>
      <Stack gap="sm">
        <Text>{words.lead}</Text>
        <List type="ordered" spacing="xs">
          {words.steps.map((step) => (
            <List.Item key={step}>{step}</List.Item>
          ))}
        </List>
        <div className={classes.command}>
          <Code block className={classes.code}>
            {words.command}
          </Code>
          <Copy value={words.command} what={words.commandName} />
        </div>
        <Text>{words.after}</Text>
        <Text>{words.money}</Text>
      </Stack>
    </Card>
  );
}
