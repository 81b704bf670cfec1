import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compressFolder } from './served-files.mjs';

describe('compressed files', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'paydesk-served-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('have the same content and lie beside the files that are large enough', () => {
    const script = 'console.log(1);\n'.repeat(200);
    writeFileSync(join(folder, 'a.js'), script);
    writeFileSync(join(folder, 'small.css'), 'a{}');
    writeFileSync(join(folder, 'picture.png'), script);
    compressFolder(folder);
    expect(readdirSync(folder).sort()).toEqual(['a.js', 'a.js.br', 'a.js.gz', 'picture.png', 'small.css']);
    expect(gunzipSync(readFileSync(join(folder, 'a.js.gz'))).toString()).toBe(script);
    expect(brotliDecompressSync(readFileSync(join(folder, 'a.js.br'))).toString()).toBe(script);
  });
});
