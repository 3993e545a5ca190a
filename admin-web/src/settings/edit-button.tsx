import { Button } from 'antd'

/** Opens the form of a row. */
export function EditButton({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <Button type="link" size="small" aria-label={`แก้ไข ${name}`} onClick={onClick}>
      แก้ไข
    </Button>
  )
}
