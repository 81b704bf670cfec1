import { Text } from '@mantine/core';
import classes from './figure.module.css';
import { Money } from './money.tsx';

/** The amount that a screen is about. */
export function Figure({ amount, 'data-testid': testId }: { amount: string; 'data-testid': string }) {
  return (
    <Text component="div" className={classes.figure} data-testid={testId}>
      <Money text={amount} fits />
    </Text>
  );
}
