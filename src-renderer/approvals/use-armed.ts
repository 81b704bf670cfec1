import { useEffect, useState } from 'react';

/** How long a request must be in view, unchanged, before it can be approved, in milliseconds. */
const ARM_AFTER_MS = 1500;

/**
 * Whether the operator has had time to read what is shown. The time starts again when `shown` changes and when the
 * window comes to the front, so that a click that was meant for something else does not approve.
 */
export function useArmed(shown: string): boolean {
  const [armed, setArmed] = useState<string>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const begin = () => {
      clearTimeout(timer);
      setArmed(undefined);
      timer = setTimeout(() => setArmed(shown), ARM_AFTER_MS);
    };
    begin();
    window.addEventListener('focus', begin);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('focus', begin);
    };
  }, [shown]);
  return armed === shown;
}
