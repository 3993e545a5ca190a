import type { Me } from '@shop/shared/account/endpoints.ts'

/** What each panel of the account page gets. */
export interface PanelProps {
  user: Me
  isOwn: boolean
  /** Whether the viewer may change this account. */
  mayEdit: boolean
  /** To be told after each change. */
  onSaved: () => Promise<void>
}
