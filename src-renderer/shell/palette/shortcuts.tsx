import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense, useEffect, useRef } from 'react';
import { loadPalette, openPalette } from './open-palette.ts';

// The code for this is fetched after the screen. When it does not come, the screen works without it.
const nothing = () => ({ default: () => null });
const Palette = lazy<ComponentType<{ onShowShortcuts: () => void }>>(() =>
  loadPalette().then((file) => ({ default: file.Palette }), nothing),
);
const ShortcutList = lazy<ComponentType<{ opened: boolean; onClose: () => void }>>(() =>
  import('./shortcut-list.tsx').then((file) => ({ default: file.ShortcutList }), nothing),
);
const GO = { o: '/', g: '/get-paid', p: '/payments', a: '/approvals' } as const;
const isGoKey = (key: string): key is keyof typeof GO => Object.hasOwn(GO, key);
/** How long after G the second key counts, in milliseconds. */
const SECOND_KEY_MS = 1_500;
/** A time before every event. Times of events count from the start of the page, so zero could be a real time. */
const NEVER = Number.NEGATIVE_INFINITY;

/** The palette, the list of shortcuts, and the shortcuts themselves. No shortcut acts while the operator types. */
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
