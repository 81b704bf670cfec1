import { parentPort, workerData } from 'node:worker_threads';
import { backupDifferences } from './backup-differences.ts';

// Compares the books of a backup with those of its node, and posts what it finds.

const { copy, source } = workerData as { copy: string; source: string };
parentPort?.postMessage(backupDifferences(copy, source));
