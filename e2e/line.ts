import type { Page } from 'playwright-core'
import { lineEmulatorUrl, storefrontUrl } from './browser.ts'

/** What a page needs to be LINE's own browser on a phone. */
export const LINE_APP = {
  userAgent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Safari Line/15.20.0 LIFF',
}

export async function tellEmulator(path: string, body?: object, method = 'POST'): Promise<void> {
  const reply = await fetch(`${lineEmulatorUrl()}/__emu/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  })
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
}

/** The address LINE opens for a person who taps a link to the shop. */
export async function inLineUrl(userId: string, path: string): Promise<string> {
  const query = new URLSearchParams({ userId, path })
  const reply = await fetch(`${lineEmulatorUrl()}/__emu/in-client-url?${query}`)
  const { url } = (await reply.json()) as { url: string }
  if (!url.startsWith(storefrontUrl())) throw new Error(`not the shop's address: ${url}`)
  return url
}

/** Lets the SDK find the native side it expects inside LINE. */
export async function beInsideLine(page: Page): Promise<void> {
  await page.addInitScript('window._liff = { features: [], postMessage() {} }')
}
