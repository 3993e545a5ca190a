/** Where the shop's pages are opened from a chat. */
export interface ChatLinks {
  /** Of the storefront, inside LINE where the shop has a LIFF app. */
  shop(path: string): string
  /** Of the back office, in the browser that staff are signed in to. */
  admin(path: string): string
}

/** LINE opens such an address in the phone's own browser. */
const OWN_BROWSER = 'openExternalBrowser=1'

export function chatLinks(at: { liffId: string | null; storefrontUrl: string; adminUrl: string }): ChatLinks {
  const withoutSlash = (url: string) => url.replace(/\/$/, '')
  const shop = at.liffId ? `https://liff.line.me/${at.liffId}` : withoutSlash(at.storefrontUrl)
  return {
    shop: path => `${shop}${path}`,
    admin: path => `${withoutSlash(at.adminUrl)}${path}${path.includes('?') ? '&' : '?'}${OWN_BROWSER}`,
  }
}
