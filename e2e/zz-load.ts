import { chromium } from '@playwright/test';
import { consoleLink } from './support/nodes/console-link.ts';
import { RunningNode } from './support/nodes/running-node.ts';
import { readdirSync, readFileSync } from 'node:fs';
const shell = '/usr/bin/chromium-headless-shell';
const cpu = () => { const r: Record<string, number> = {}; for (const d of readdirSync('/proc')) if (/^\d+$/.test(d)) try { const c = readFileSync(`/proc/${d}/cmdline`, 'utf8'); if (!/chrom/.test(c.split('\0')[0] ?? '')) continue; const k = /--type=([a-z-]+)/.exec(c)?.[1] ?? 'browser'; const s = readFileSync(`/proc/${d}/stat`, 'utf8').split(') ')[1]!.split(' '); r[k] = (r[k] ?? 0) + (Number(s[11]) + Number(s[12])) * 10; } catch {} return r; };
const node = await RunningNode.start();
const browser = await chromium.launch({ executablePath: shell });
for (const opt of [{}, {}, { reducedMotion: 'reduce' as const }, { reducedMotion: 'reduce' as const }]) {
  const a = cpu();
  const ctx = await browser.newContext(opt); const page = await ctx.newPage();
  await page.goto(await consoleLink(node)); await page.getByRole('heading', { level: 1 }).waitFor(); await page.waitForTimeout(500);
  const b = cpu(); await page.reload(); await page.getByRole('heading', { level: 1 }).waitFor(); await page.waitForTimeout(500);
  const c = cpu(); await page.waitForTimeout(5000); const e = cpu(); await ctx.close();
  const d = (x: any, y: any) => JSON.stringify(Object.fromEntries(Object.keys(y).map((k) => [k, y[k] - (x[k] ?? 0)])));
  console.log(JSON.stringify(opt), 'open', d(a, b), 'reload', d(b, c), 'idle 5 s', d(c, e));
}
await browser.close(); await node.stop();
