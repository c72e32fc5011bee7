import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';

const programs = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of this machine, or null if there is none. */
export function findBrowser(): string | null {
  return programs.find((path) => existsSync(path)) ?? null;
}

export function launchBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

/** Builds the console if its sources have changed since the last time. */
export function buildConsole(): void {
  const script = fileURLToPath(new URL('../../console/build.mjs', import.meta.url));
  execFileSync(process.execPath, [script, '--strict'], { stdio: 'inherit' });
}
