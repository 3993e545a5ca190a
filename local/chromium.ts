import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { installDebianPackage } from './debian.ts'

const usualPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The Chromium to test with: CHROMIUM_PATH, else the system's, else the one Playwright downloaded. */
export function findChromium(): string | undefined {
  const { CHROMIUM_PATH } = process.env
  return [...(CHROMIUM_PATH ? [CHROMIUM_PATH] : usualPaths), chromium.executablePath()].find(path => existsSync(path))
}

/** The same, installed first where there is none: by apt where that works, else by Playwright's own download. */
export function installChromium(): string {
  const found = findChromium()
  if (found) return found
  installDebianPackage('chromium')
  if (!findChromium()) {
    console.log("Installing Playwright's Chromium…")
    spawnSync('npx', ['playwright-core', 'install', 'chromium'], { stdio: 'inherit' })
  }
  const installed = findChromium()
  if (!installed) throw new Error('No Chromium was found. Install one, or set CHROMIUM_PATH to its program.')
  return installed
}
