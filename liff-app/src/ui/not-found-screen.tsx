import { SearchX } from 'lucide-react'
import { MessagePage } from './message-page.tsx'

/** Any path this shop does not have. */
export default function NotFoundScreen() {
  return (
    <MessagePage icon={SearchX} title="ไม่พบหน้านี้">
      <p lang="en">The page you requested could not be found.</p>
    </MessagePage>
  )
}
