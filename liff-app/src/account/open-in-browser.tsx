import { ExternalLink } from 'lucide-react'
import { inApp, openOutside, opensOutside } from '../in-app.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'

/** Says in an app's browser what only works in one of its own, and leads there. */
export function OpenInBrowser({ path, children }: { path: string; children: string }) {
  const isLine = inApp === 'แอป LINE'
  return (
    <div className="mt-3 rounded-card border border-card p-4">
      <p className="text-ink-2 text-small">
        {children}
        {!isLine && ' แตะปุ่ม ⋯ ที่มุมจอ แล้วเลือก "เปิดในเบราว์เซอร์" หรือคัดลอกลิงก์ไปวาง'}
      </p>
      <div className="mt-3 grid gap-2">
        {opensOutside && (
          <Button
            kind="secondary"
            size="small"
            block
            icon={<ExternalLink size={18} />}
            onClick={() => void openOutside(path)}
          >
            เปิดร้านในเบราว์เซอร์
          </Button>
        )}
        {!isLine && (
          <CopyButton text={location.origin + path} label="คัดลอกลิงก์ ของหน้านี้">
            คัดลอกลิงก์
          </CopyButton>
        )}
      </div>
    </div>
  )
}
