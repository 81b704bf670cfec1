import { loadWords } from '../../components/language/load-words.ts';

// Modules read the words when they are loaded, so the words of the reader's language come first.
await loadWords();
await import('./paired-start.tsx');
