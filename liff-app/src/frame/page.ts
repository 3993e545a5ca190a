/** How the frame shows a route. */
export interface Page {
  /** `root` has the tab bar, `checkout` a back arrow and its title instead of the logo, `inner` neither. */
  kind: 'root' | 'checkout' | 'inner'
  title: string
  /** It uses the whole width of a tablet; the others are a column of text and forms. */
  isWide?: boolean
  /** Where the back arrow leads when the page before was not one of the shop. */
  back?: string
  /** Where the back arrow always leads, whatever page came before. */
  leavesTo?: string
}
