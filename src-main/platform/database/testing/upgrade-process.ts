import { armFailPoint } from '../../fail-points.ts';
import { upgrade } from '../upgrade.ts';

// A process that upgrades a database, and that a fail point may end meanwhile.
const [file = '', migrations = '', failPoint] = process.argv.slice(2);
armFailPoint(failPoint);
upgrade(file, migrations);
