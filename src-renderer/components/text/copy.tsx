import { ActionIcon, Button, CopyButton, Tooltip, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { messages } from '../../../src-shared/words/console/messages.ts';

interface CopyProps {
  value: string;
  /** Names what is copied, for users of screen readers. */
  what: string;
  /** A button with a word on it instead of an icon. Where two stand beside each other, the words say what is copied. */
  large?: boolean | 'named';
}

export function Copy({ value, what, large = false }: CopyProps) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => {
        const Icon = copied ? IconCheck : IconCopy;
        const said = <VisuallyHidden role="status">{copied ? messages.common.copied : ''}</VisuallyHidden>;
        if (large !== false) {
          return (
            <Button
              variant="light"
              leftSection={<Icon size={18} aria-hidden />}
              onClick={copy}
              aria-label={messages.common.copyOf({ what })}
            >
              {copied ? messages.common.copied : large === 'named' ? messages.common.copyOf({ what }) : messages.common.copy}
              {said}
            </Button>
          );
        }
        return (
          <Tooltip label={copied ? messages.common.copied : messages.common.copyOf({ what })}>
            <ActionIcon variant="subtle" color="gray" onClick={copy} aria-label={messages.common.copyOf({ what })}>
              <Icon size={18} aria-hidden />
              {said}
            </ActionIcon>
          </Tooltip>
        );
      }}
    </CopyButton>
  );
}
