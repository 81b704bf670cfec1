/** The palette, fetched when it is first asked for or, before that, once the first screen is there. */
export const loadPalette = () => import('./palette.tsx');

/** Opens it as soon as it is there. When the node is away and it cannot come, nothing happens, as with a screen. */
export const openPalette = (): void =>
  void loadPalette().then(
    ({ spotlight }) => spotlight.open(),
    () => undefined,
  );
