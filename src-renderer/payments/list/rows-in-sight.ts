import { useSyncExternalStore } from 'react';

/** Follows what the window shows of the page. */
function follow(onChange: () => void): () => void {
  window.addEventListener('scroll', onChange, { passive: true });
  window.addEventListener('resize', onChange);
  return () => {
    window.removeEventListener('scroll', onChange);
    window.removeEventListener('resize', onChange);
  };
}

/**
 * The rows that the window shows of a list in which all rows are equally high.
 * @param count how many rows there are
 * @param height of a row, in pixels
 * @param top where the list begins on the page, in pixels
 * @returns the first and the last row in sight, from 0 to `count - 1`
 */
export function useRowsInSight(count: number, height: number, top: number): { first: number; last: number } {
  const rowAt = (pixel: number) => Math.max(0, Math.min(count - 1, Math.floor((pixel - top) / height)));
  // Numbers, so that the list is drawn again only when another row comes into sight.
  const first = useSyncExternalStore(follow, () => rowAt(window.scrollY));
  const last = useSyncExternalStore(follow, () => rowAt(window.scrollY + window.innerHeight - 1));
  return { first, last };
}

/** Scrolls as little as is needed to show a row whole. `height` and `top` are those of {@link useRowsInSight}. */
export function scrollToRow(row: number, height: number, top: number): void {
  const start = top + row * height;
  const latest = start + height - window.innerHeight;
  if (window.scrollY > start) window.scrollTo({ top: start });
  else if (window.scrollY < latest) window.scrollTo({ top: latest });
}
