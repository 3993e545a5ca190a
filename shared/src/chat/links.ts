/** Makes links from chats to the shop's pages. */
export interface ChatLinks {
  /** A page of the storefront; it opens inside LINE if the shop has a LIFF app. */
  shop(path: string): string
  /** A page of the back office; it opens in the browser in which staff are signed in. */
  admin(path: string): string
  /** A game's picture for a card; null where LINE could not read it, because it takes no other than https. */
  picture(gameCode: string): string | null
}

/** Makes LINE open an address in the phone's own browser. */
const OWN_BROWSER = 'openExternalBrowser=1'

/** On a developer's machine only the stand-in for LINE reads pictures, and it takes http there. */
const canShow = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || ['localhost', '127.0.0.1'].includes(hostname)

export function chatLinks(at: { liffId: string | null; storefrontUrl: string; adminUrl: string }): ChatLinks {
  const withoutSlash = (url: string) => url.replace(/\/$/, '')
  const shop = at.liffId ? `https://liff.line.me/${at.liffId}` : withoutSlash(at.storefrontUrl)
  return {
    shop: path => `${shop}${path}`,
    admin: path => `${withoutSlash(at.adminUrl)}${path}${path.includes('?') ? '&' : '?'}${OWN_BROWSER}`,
    picture(gameCode) {
      const url = new URL(`/preview/square/${encodeURIComponent(gameCode)}.png`, at.storefrontUrl)
      return canShow(url) ? url.href : null
    },
  }
}
