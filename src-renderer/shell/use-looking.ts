import { useEffect } from 'react';
import { forgetTold } from '../components/notices/browser-notices.ts';
import { soundWanted } from '../components/notices/notice-settings.ts';
import { prepareSound } from '../components/notices/tones.ts';

/** Counts notifications anew when the person looks at the console. Sound becomes possible when they touch it. */
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
