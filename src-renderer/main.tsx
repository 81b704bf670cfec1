import { loadWords } from './components/language/load-words.ts';

// Modules of the console read its words when they are loaded, so the words of the reader's language come first. The
// page preloads the console meanwhile.
await loadWords();
await import('./start.tsx');
