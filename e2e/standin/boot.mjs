import { readFileSync } from 'node:fs';
import inspector from 'node:inspector';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { boot } from './app.mjs';
import './electron.mjs';

// As in Electron, the first argument that is not a switch is the app's folder. Its package.json names the main script.
const args = process.argv.slice(2);
const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
const appPath = resolve(own.find((arg) => !arg.startsWith('-')) ?? '.');
const manifest = JSON.parse(readFileSync(join(appPath, 'package.json'), 'utf8'));
const userData = own.find((arg) => arg.startsWith('--user-data-dir='))?.slice('--user-data-dir='.length);
if (userData === undefined) throw new Error('electron stand-in: --user-data-dir is needed');

process.argv = [process.argv[0], ...args];
// Playwright attaches as soon as it reads that it may, and asks for `electron` at once. It must not ask while this
// process is still loading its modules.
if (own.includes('--inspect=0')) inspector.open(0, '127.0.0.1');
await boot({ appPath, manifest, userData, waitForPlaywright: own.includes('--remote-debugging-port=0') });
await import(pathToFileURL(join(appPath, manifest.main)).href);
