import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense, useEffect, useRef } from 'react';
import { loadPalette, openPalette } from './open-palette.ts';

// What is not needed to see a screen comes after it, and when it does not come the screen goes on without.
const nothing = () => ({ default: () => null });
const Palette = lazy<ComponentType<{ onShowShortcuts: () => void }>>(() =>
  loadPalette().then((file) => ({ default: file.Palette }), nothing),
);
const ShortcutList = lazy<ComponentType<{ opened: boolean; onClose: () => void }>>(() =>
  import('./shortcut-list.tsx').then((file) => ({ default: file.ShortcutList }), nothing),
);
const GO = { o: '/', g: '/get-paid', p: '/payments', a: '/approvals' } as const;
const isGoKey = (key: string): key is keyof typeof GO => Object.hasOwn(GO, key);
/** How long after G the second key counts. */
const SECOND_KEY_MS = 1_500;
/** Times of events count from when the page began to load, so zero is a moment like the others. */
const NEVER = Number.NEGATIVE_INFINITY;

/** The palette, the list of shortcuts, and the shortcuts themselves. None of them acts while something is being typed. */
export function Shortcuts() {
  const [opened, { open, close }] = useDisclosure(false);
  useHotkeys([
    ['mod+K', openPalette],
    ['shift+?', open],
    ['?', open],
  ]);
  useGoKeys();
  return (
    <Suspense fallback={null}>
      <Palette onShowShortcuts={open} />
      <ShortcutList opened={opened} onClose={close} />
    </Suspense>
  );
}

/** G and then a letter goes to a screen. */
function useGoKeys(): void {
  const navigate = useNavigate();
  const pressedAt = useRef(NEVER);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, altKey } = event;
      const typing = target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
      if (typing || ctrlKey || metaKey || altKey) return;
      const isSecond = event.timeStamp - pressedAt.current < SECOND_KEY_MS;
      pressedAt.current = key === 'g' && !isSecond ? event.timeStamp : NEVER;
      if (isSecond && isGoKey(key)) void navigate({ to: GO[key] });
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [navigate]);
}
