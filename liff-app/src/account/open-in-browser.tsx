import { ExternalLink } from 'lucide-react'
import { Button } from '../ui/button.tsx'

/** Says inside LINE what only works in a browser, with a button that opens the shop there. */
export function OpenInBrowser({ path, children }: { path: string; children: string }) {
  return (
    <div className="mt-3 rounded-card border border-card p-4">
      <p className="text-ink-2 text-small">{children}</p>
      <Button
        kind="secondary"
        size="small"
        block
        className="mt-3"
        icon={<ExternalLink size={18} />}
        onClick={() => void import('../liff.ts').then(liff => liff.openOutside(location.origin + path))}
      >
        เปิดร้านในเบราว์เซอร์
      </Button>
    </div>
  )
}
