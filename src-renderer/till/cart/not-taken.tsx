import { Alert } from '@mantine/core';
import { useState } from 'react';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { inertText } from '../../../src-shared/words/inert-text.ts';
import { useScans } from './use-scans.ts';

/**
 * Says that a scan was not taken, while a sale is charged and takes nothing more.
 * @param onScan is called for each
 */
export function NotTaken({ onScan }: { onScan?: () => void }) {
  const [code, setCode] = useState<string>();
  useScans((scanned) => {
    setCode(scanned);
    onScan?.();
  });
  if (code === undefined) return null;
  return (
    <Alert color="orange" data-notice p="sm" role="alert">
      {messages.till.notTaken({ code: inertText(code) })}
    </Alert>
  );
}
