import { useEffect } from 'react';
import { forgetTold } from '../components/notices/browser-notices.ts';
import { soundWanted } from '../components/notices/notice-settings.ts';
import { prepareSound } from '../components/notices/tones.ts';

/** When the person looks at the console, notifications count anew. When they touch it, sound becomes possible. */
export function useLooking(): void {
  useEffect(() => {
    const touched = () => {
      if (soundWanted.get()) prepareSound();
    };
    window.addEventListener('focus', forgetTold);
    window.addEventListener('pointerdown', touched);
    window.addEventListener('keydown', touched);
    return () => {
      window.removeEventListener('focus', forgetTold);
      window.removeEventListener('pointerdown', touched);
      window.removeEventListener('keydown', touched);
    };
  }, []);
}
