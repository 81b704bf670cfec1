import { systemClock } from '../../../platform/clock.ts';
import { MIGRATIONS } from '../../../platform/database/testing/other-migrations.ts';
import { armFailPoint } from '../../../platform/fail-points.ts';
import { moveToDatabase } from '../to-database.ts';
import { moveToFolder } from '../to-folder.ts';

// A process that moves books, and that a fail point may end meanwhile.
const [direction, dataFolder = '', url = '', key = '', failPoint] = process.argv.slice(2);
armFailPoint(failPoint);
const moving = {
  dataFolder,
  address: { url, shown: 'the database' },
  sealKey: Buffer.from(key, 'base64url'),
  protection: undefined,
  migrations: MIGRATIONS,
  clock: systemClock,
  tell: () => undefined,
};
await (direction === 'to-database' ? moveToDatabase(moving) : moveToFolder(moving));
