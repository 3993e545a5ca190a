import { Button } from 'antd'
import { X } from 'lucide-react'

/** Closes a panel from its head. */
export function CloseButton({ label, onClick }: { label: string; onClick: () => void }) {
  return <Button type="text" size="small" icon={<X size={18} aria-hidden />} aria-label={label} onClick={onClick} />
}
