import { useEffect } from 'react';

/** Keeps the screen awake while the till is shown, where the browser can. It lets go whenever the page is hidden. */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: Promise<WakeLockSentinel | undefined> | undefined;
    let left = false;
    const release = () => void lock?.then((held) => held?.release()).catch(() => undefined);
    const hold = () => {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
      // A browser refuses it when its battery is low. The till works without it.
      lock = navigator.wakeLock.request('screen').catch(() => undefined);
      if (left) release();
    };
    hold();
    document.addEventListener('visibilitychange', hold);
    return () => {
      left = true;
      document.removeEventListener('visibilitychange', hold);
      release();
    };
  }, []);
}
