import type { Me } from '@shop/shared/account/endpoints.ts'

/** The props of each panel of the account page. */
export interface PanelProps {
  user: Me
  isOwn: boolean
  /** Whether the viewer may change this account. */
  mayEdit: boolean
  /** Called after each change. */
  onSaved: () => Promise<void>
}
