import { useState } from 'react';

/** A dialog that begins anew each time it is opened: `key` differs for each opening. */
export function useOpening<T>() {
  const [last, setLast] = useState<{ key: number; subject: T }>();
  const [opened, setOpened] = useState(false);
  const open = (subject: T) => {
    setLast({ key: (last?.key ?? 0) + 1, subject });
    setOpened(true);
  };
  return { dialog: last, opened, open, close: () => setOpened(false) };
}
