/** The palette. Its code is fetched when the first screen is there, or earlier when the operator asks for it. */
export const loadPalette = () => import('./palette.tsx');

/** Opens the palette as soon as its code is there. When the node is away and the code cannot come, nothing happens. */
export const openPalette = (): void =>
  void loadPalette().then(
    ({ spotlight }) => spotlight.open(),
    () => undefined,
  );
