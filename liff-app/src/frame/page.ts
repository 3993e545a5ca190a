/** How the frame dresses a route. */
export interface Page {
  /** `root`: tab bar; `checkout`: back arrow and title instead of the brand; `inner`: the plain frame. */
  kind: 'root' | 'checkout' | 'inner'
  title: string
  /** Where the back arrow leads when there is nothing to go back to. */
  back?: string
  /** Where it always leads, whatever came before. */
  leavesTo?: string
}
