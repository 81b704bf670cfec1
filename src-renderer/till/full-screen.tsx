import { IconMaximize, IconMinimize } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { messages } from '../../src-shared/words/console/messages.ts';
import { HeadButton } from './head-button.tsx';

const words = messages.till;

/** Gives the till the whole screen of the system, and takes it back. A phone without such a thing has no button. */
export function FullScreen({ className }: { className?: string | undefined }) {
  const isFull = useSyncExternalStore(watch, () => document.fullscreenElement !== null);
  if (!document.fullscreenEnabled) return null;
  const Icon = isFull ? IconMinimize : IconMaximize;
  // A browser that refuses shows so itself.
  const turn = () => void (isFull ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => undefined);
  return <HeadButton {...{ className }} label={words.fullScreen} isOn={isFull} onClick={turn} icon={<Icon size={24} aria-hidden />} />;
}

function watch(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener);
  return () => document.removeEventListener('fullscreenchange', listener);
}
