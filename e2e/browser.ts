import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { findChromium } from 'local/chromium.ts'
import { projectRoot } from 'local/os-process.ts'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { shopPorts } from './shop.ts'

const shotsDir = join(projectRoot, '.local', 'shots')
mkdirSync(shotsDir, { recursive: true })

export const PHONE = { width: 360, height: 740 }
export const DESKTOP = { width: 1280, height: 800 }
export const OFFICE = { width: 1440, height: 900 }
/** The smallest window that staff work at. */
export const LAPTOP = { width: 1280, height: 720 }

/** Whatever a page is waited for: the limit ends what hangs, and judges nobody's speed. */
export const HANGS_MS = 60_000

export const storefrontUrl = () => `http://localhost:${shopPorts().storefront}`
export const adminUrl = () => `http://localhost:${shopPorts().admin}`
export const lineEmulatorUrl = () => `http://localhost:${shopPorts().lineEmulator}`

/** One Chromium per test file. */
export function useBrowser(args: () => string[] = () => []): {
  open: (options?: BrowserContextOptions) => Promise<Page>
} {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: findChromium(),
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        ...args(),
      ],
    })
  })
  afterAll(() => browser.close())

  return {
    /** A page in a browser of its own: another person. */
    async open(options = {}) {
      const context: BrowserContext = await browser.newContext({
        viewport: PHONE,
        locale: 'th-TH',
        timezoneId: 'Asia/Bangkok',
        // A click while a dialog grows begins on one thing and ends on another.
        reducedMotion: 'reduce',
        permissions: ['clipboard-read', 'clipboard-write'],
        ...options,
      })
      context.setDefaultTimeout(HANGS_MS)
      const page = await context.newPage()
      const problems: string[] = []
      page.on('pageerror', error => problems.push(error.message))
      onTestFinished(async ({ task }) => {
        if (task.result?.state === 'fail') {
          const name = task.name.replace(/[^\w]+/g, '-').slice(0, 60)
          const nth = browser.contexts().indexOf(context)
          await page.screenshot({ path: join(shotsDir, `failed-${name}-${nth}.png`) }).catch(() => undefined)
          console.log(`failed at ${page.url()} (${nth})`, problems, await saidOn(page))
        }
        await context.close()
      })
      return page
    },
  }
}

/** Somebody comes back to a page from another window: what it follows is read at once, and not when it is time again. */
export const comeBack = (page: Page): Promise<boolean> =>
  page.evaluate(() => dispatchEvent(new Event('visibilitychange')))

/** What a page says of its own: dialogs, alerts and what is told to a screen reader. */
const saidOn = (page: Page): Promise<string[]> =>
  page
    .locator('[role=dialog], [role=alert], [role=status]')
    .allInnerTexts()
    .then(texts => texts.map(text => text.replace(/\s+/g, ' ').trim()).filter(Boolean))
    .catch(() => [])

/** With SHOTS=1 keeps a picture of a page under .local/shots for people to look at. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (process.env.SHOTS) await page.screenshot({ path: join(shotsDir, `${name}.png`), animations: 'disabled' })
}
