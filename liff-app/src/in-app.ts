import { inLiff } from './shop.ts'

// Browsers that apps bring along: there Google and Facebook refuse to sign people in, and files can hardly be saved.

/** Apps by what their browser calls itself; the first that fits. */
const APPS: [name: string, sign: RegExp][] = [
  ['LINE', /\bLine\//],
  ['WeChat', /MicroMessenger/],
  ['Messenger', /messenger|orca-android/i],
  ['Instagram', /Instagram/],
  ['Facebook', /FBA[NV]\/|FB_IAB/],
  ['TikTok', /TikTok|musical_ly|BytedanceWebview|\btrill/i],
  ['X', /Twitter/],
]
const IS_ANDROID = /Android/
/** Of Apple's, only browsers call themselves Safari. A page put on the home screen doesn't either, and is no app's. */
const IS_APPLE = /\((iPhone|iPad|iPod)/

/** What to call the app in whose browser a page is; null in a browser of its own. */
export function appOf(userAgent: string, isOnHomeScreen = false): string | null {
  const name = APPS.find(([, sign]) => sign.test(userAgent))?.[0]
  if (name) return `แอป ${name}`
  const isSomeApp = /; wv\)/.test(userAgent) || (IS_APPLE.test(userAgent) && !/Safari\//.test(userAgent))
  return isSomeApp && !isOnHomeScreen ? 'แอปนี้' : null
}

const { userAgent } = navigator

/** The app in whose browser the shop is, LINE's LIFF among them: "แอป Facebook"; null in an ordinary browser. */
export const inApp = inLiff ? 'แอป LINE' : appOf(userAgent, (navigator as { standalone?: boolean }).standalone)

/**
 * The address that makes an app open this page of the shop in the phone's own browser; null where an app has only a menu
 * for that. LINE has a word for it in addresses, Android takes every link that says so.
 */
export function outsideAddressOf(path: string, agent = userAgent): string | null {
  const url = new URL(path, location.origin)
  if (/\bLine\//.test(agent)) {
    url.searchParams.set('openExternalBrowser', '1')
    return url.href
  }
  if (!IS_ANDROID.test(agent)) return null
  const scheme = url.protocol.slice(0, -1)
  return `intent://${url.host}${url.pathname}${url.search}#Intent;scheme=${scheme};action=android.intent.action.VIEW;end`
}

/** Whether the button "open in the browser" works here; else people do it by the app's own menu. */
export const opensOutside = inLiff || outsideAddressOf('/') !== null

/** Opens a page of the shop in the phone's own browser. */
export async function openOutside(path: string): Promise<void> {
  if (inLiff) return (await import('./liff.ts')).openOutside(location.origin + path)
  const address = outsideAddressOf(path)
  if (address) location.assign(address)
}
