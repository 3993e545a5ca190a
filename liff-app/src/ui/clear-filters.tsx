import { ReceiptText } from 'lucide-react'
import { Button } from './button.tsx'
import { Empty } from './state.tsx'

interface ClearFiltersProps {
  kind?: 'quiet' | 'tint'
  onClear: () => void
}

export const ClearFilters = ({ kind = 'quiet', onClear }: ClearFiltersProps) => (
  <Button kind={kind} size="small" onClick={onClear}>
    ล้างตัวกรอง
  </Button>
)

/** Stands in place of a list of which the filters leave nothing. */
export const NothingFound = ({ title, onClear }: { title: string; onClear: () => void }) => (
  <Empty
    icon={ReceiptText}
    title={title}
    text="ลองเปลี่ยนตัวกรอง"
    action={<ClearFilters kind="tint" onClear={onClear} />}
  />
)
