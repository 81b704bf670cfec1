import { Text } from '@mantine/core';
import classes from './figure.module.css';

/** The amount that a screen is about. When it does not fit in a line, it breaks before its currency, not within it. */
export function Figure({ amount, 'data-testid': testId }: { amount: string; 'data-testid': string }) {
  return (
    <Text className={classes.figure} data-testid={testId}>
      {amount.replaceAll('\u00a0', ' ')}
    </Text>
  );
}
